// Whether the site answers. The browser knows only whether any network is up: without one, a site on this
// very machine answers still; with one, a site may be gone.

export async function reachable() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}
