// Sends the request of a form and shows the answer below it.

const MOST_SHOWN = 20000;

async function send(form) {
  const { address, body } = form.elements;
  const request = body
    ? { method: form.dataset.method, body: body.value, headers: { "content-type": "application/json" } }
    : { method: form.dataset.method };
  const answer = await fetch(address.value, request);
  const text = await answer.text();
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return `${answer.status} ${answer.statusText}\n${shown}`;
}

for (const form of document.forms) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    output.value = "…";
    output.value = await send(form).catch((error) => `no answer: ${error.message}`);
  });
}
