/** Returns the element with a test id; null if the page lacks it. */
export const elementOf = (testId: string) =>
  document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(testId)}"]`)
