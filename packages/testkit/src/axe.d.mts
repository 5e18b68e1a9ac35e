/** A page in a browser, as Playwright has it. */
interface Page {
  evaluate(script: string): Promise<unknown>;
}

/**
 * What axe finds that keeps somebody from using a page as it is now, by all of its rules but these, in the parts of it that
 * selectors name, if any. Empty if there is nothing.
 */
export function accessProblems(
  page: Page,
  except?: readonly string[],
  within?: readonly string[] | null,
): Promise<readonly string[]>;
