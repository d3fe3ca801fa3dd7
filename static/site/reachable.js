// Whether the site answers. The browser knows only whether any network is up: without one, a site on this
// very machine answers still; with one, a site may be gone.

const PATIENCE_MS = 5000; // a silent host is none

export async function reachable() {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await fetch(location.href, { method: "HEAD", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}
