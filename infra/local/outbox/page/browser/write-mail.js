/** Forms by which somebody writes to the service: mails go into a mailbox of this machine, which the service fetches. */
import { element } from './elements.js'

/** The answer of whoever got a mail. `onClose` is called when it was cancelled. */
export function answerForm({ id, from, to }, { onClose }) {
  return form({
    fields: [
      element('p', { class: 'quiet' }, `${to[0] ?? ''} answers ${from ?? ''}; the mail is quoted below the text.`),
    ],
    body: (text) => ({ answers: id, text }),
    onClose,
  })
}

/** A mail of somebody new, or .eml files as they are. `files`: those that were dropped on the page, which are sent at once. */
export function mailForm({ onClose, files = [] }) {
  const inputs = {
    from: input('From', { type: 'email', required: true, value: 'ann@northwind.example' }),
    to: input('To', { type: 'email', required: true, value: 'support@demo.example' }),
    subject: input('Subject', { type: 'text' }),
  }
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, { field }]) => [name, field.value.trim()]))
  const choice = input(
    'Or send mails as they are, to the same address (.eml files: choose them, or drop them on the page)',
    {
      type: 'file',
      multiple: true,
      accept: '.eml,message/rfc822',
      onchange: ({ target }) => void sendFiles(target.files),
    },
  )
  const made = form({
    title: 'Write a mail to the service',
    fields: Object.values(inputs).map(({ label }) => label),
    body: (text) => ({ ...values(), text }),
    onClose,
  })
  const result = made.querySelector('.result')
  made.insertBefore(choice.label, result)

  /** One after the other, so that they keep their order. */
  async function sendFiles(chosen) {
    const query = new URLSearchParams({ to: values().to })
    const said = []
    let failed = 0
    for (const file of chosen) {
      const outcome = await post(`?${query}`, file, 'message/rfc822')
      if (!outcome.ok) failed += 1
      said.push(`${file.name}: ${outcome.text}`)
    }
    result.classList.toggle('wrong', failed > 0)
    result.replaceChildren(...said.map((line) => element('span', {}, line)))
  }
  if (files.length > 0) void sendFiles(files)
  return made
}

function input(name, attributes) {
  const field = element('input', { ...attributes, autocomplete: 'off', spellcheck: 'false' })
  return { field, label: element('label', {}, name, field) }
}

function form({ title, fields, body, onClose }) {
  const text = element('textarea', { rows: '8', required: true, 'aria-label': 'Text' })
  const result = element('p', { class: 'result', role: 'status' })
  const send = element('button', { type: 'submit', class: 'button primary' }, 'Send')
  const made = element(
    'form',
    {
      class: 'write',
      onsubmit: async (event) => {
        event.preventDefault()
        send.disabled = true
        const outcome = await post('', JSON.stringify(body(text.value)), 'application/json')
        send.disabled = false
        result.classList.toggle('wrong', !outcome.ok)
        result.textContent = outcome.text
        if (outcome.ok) text.value = ''
      },
    },
    title !== undefined && element('h2', {}, title),
    ...fields,
    text,
    element(
      'div',
      { class: 'actions' },
      send,
      element('button', { type: 'button', class: 'button', onclick: onClose }, 'Close'),
    ),
    result,
  )
  return made
}

async function post(query, body, type) {
  try {
    const answer = await fetch(`/_local/mailbox${query}`, { method: 'POST', headers: { 'content-type': type }, body })
    const { data, message } = await answer.json()
    return answer.ok
      ? {
          ok: true,
          text: `In the mailbox ${data.to}. The service fetches it within a minute, or at once by POST /api/sys/settings/fetch-imap.`,
        }
      : { ok: false, text: message }
  } catch {
    return { ok: false, text: 'The service does not answer.' }
  }
}
