// Modules that a page loads when it uses them. A browser that could not fetch a module, or one that it
// imports, remembers that until the page is left, and never asks for that address again. So the next
// use asks by another spelling of it, which the server reads as the same: a letter of the first folder
// as %xx. What the module imports beside itself is then asked for anew as well.

const failures = new Map(); // how often each address has failed

// Returns what loads modules by addresses that are relative to this one. `use` may load more of what
// the module needs: what that lacks is asked for anew as well.
export function loaderFor(base) {
  return async (path, use = (module) => module) => {
    const address = new URL(path, base).href;
    const failed = failures.get(address) ?? 0;
    try {
      return await use(await import(spelling(address, failed)));
    } catch (error) {
      failures.set(address, failed + 1);
      throw error;
    }
  };
}

// The spelling with this number: its bits say which letters are written as %xx.
function spelling(address, number) {
  const url = new URL(address);
  const [root, folder, ...rest] = url.pathname.split("/");
  const letters = [...folder].map((letter, at) => ((number >> at) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter));
  url.pathname = [root, letters.join(""), ...rest].join("/");
  return url.href;
}
