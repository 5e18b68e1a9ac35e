// In JavaScript, as programs of Node use it too.
import axe from 'axe-core';

/** The rules of WCAG 2.2, levels A and AA, and what is good practice besides. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs in the page: each element that breaks a rule, and how. What it would load first is for sound and pictures that move. */
const script = (except, within) => `axe.run(${JSON.stringify(within)} ?? document, {
  runOnly: ${JSON.stringify(RULES)},
  rules: ${JSON.stringify(Object.fromEntries(except.map((rule) => [rule, { enabled: false }])))},
  resultTypes: ['violations'],
  preload: false,
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`;

export async function accessProblems(page, except = [], within = null) {
  // A page that was asked before has it.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  return page.evaluate(script(except, within));
}
