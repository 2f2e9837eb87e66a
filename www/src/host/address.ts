/** The address of the page, as others can open it. */

/** Returns whether only this computer can open a page of this host. */
export const isLocalHost = (hostname: string): boolean =>
  hostname === '' ||
  hostname === '[::1]' ||
  /^127(\.\d+){3}$/.test(hostname) ||
  /(^|\.)localhost\.?$/.test(hostname)
