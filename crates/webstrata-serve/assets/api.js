// API calls.

async function call(path, parameters, options) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const response = await fetch(`/api/v1/${path}${query && `?${query}`}`, options);
  if (response.ok) return response;
  let reason = `status ${response.status}`;
  try {
    reason = (await response.json()).error;
  } catch {
    // The response is not ours; it may come from a proxy.
  }
  throw new Error(reason);
}

export async function get(path, parameters = {}, signal) {
  return (await call(path, parameters, { signal })).json();
}

// The original of a page of the crawl, with its type.
export async function source(id) {
  const response = await call("source", { id });
  return new Blob([await response.arrayBuffer()], { type: response.headers.get("x-page-type") ?? "text/html" });
}

export async function post(path, parameters, body, signal) {
  const type = body instanceof Blob && body.type.includes("charset=") ? body.type : "text/html";
  return call(path, parameters, { method: "POST", body, signal, headers: { "content-type": type } });
}
