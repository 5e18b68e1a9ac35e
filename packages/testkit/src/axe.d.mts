/** A page in a browser, as Playwright has it. */
interface Page {
  evaluate(script: string): Promise<unknown>;
}

/** What axe finds that keeps somebody from using a page as it is now. Empty if there is nothing. */
export function accessProblems(page: Page): Promise<readonly string[]>;
