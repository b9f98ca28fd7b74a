// Shows the page that the address names in a frame, and posts what it sets as its outcome.
const frame = document.createElement("iframe");
frame.src = location.search.slice(1);
document.documentElement.append(frame);
while (frame.contentWindow.outcome === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
await fetch("/", { method: "POST", body: JSON.stringify(frame.contentWindow.outcome) });
