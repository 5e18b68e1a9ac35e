/** What is said where a part of the page is not there, as without a network, or once a new release is in the place of an old one. */
export const NOT_FETCHED = 'part of the page could not be fetched. Try again, or reload the page.';

/**
 * Calls back when a worker fails outside of its answers, with an error for people: what it was asked will never be answered.
 * Whoever gets it ends the worker.
 *
 * @param name - what the worker is, as messages begin with it: `the compiler`.
 */
export function onFailure(worker: Worker, name: string, hear: (error: Error) => void): void {
  // A script that could not be fetched has no message.
  worker.onerror = ({ message }) => {
    const reason = message?.replace(/^Uncaught /, '');
    hear(
      new Error(reason ? `${name} has failed: ${reason}` : `${name} could not be started: ${NOT_FETCHED}`),
    );
  };
  worker.onmessageerror = () => hear(new Error(`${name} gave an answer that this browser could not read`));
}
