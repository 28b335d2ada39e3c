/** The forms by which somebody writes to the service: by mail, or to a bot. */
import { button, element } from './elements.js'

/** The answer of whoever got a mail or a message of a bot. `onClose` is called when it was cancelled. */
export function answerForm({ id, type, from = '', to }, onClose) {
  const what = `${to[0] ?? ''} answers ${from}${type === 'mail' ? '; the mail is quoted below the text' : ''}.`
  const bot = Number(from.replace(/^bot /, '')) || undefined
  return form({
    fields: [element('p', { class: 'quiet' }, what)],
    send: (text) =>
      type === 'mail'
        ? sendMail('', JSON.stringify({ answers: id, text }), 'application/json')
        : post('/_local/messenger', JSON.stringify({ bot, chat: Number(to[0]), text }), 'application/json', saidToBot),
    onClose,
  })
}

const saidToBot = ({ bot, status }) =>
  status === 200 ? `Bot ${bot} has it.` : `The webhook of bot ${bot} answered ${status || 'nothing'}.`

/** A mail of somebody new, or .eml files as they are. `files`: those that were dropped on the page, which are sent at once. */
export function mailForm({ onClose, files = [] }) {
  const from = input('From', { type: 'email', required: true, value: 'ann@northwind.example' })
  const to = input('To', { type: 'email', required: true, value: 'support@demo.example' })
  const subject = input('Subject', { type: 'text' })
  const eml = input(
    'Or send mails as they are, to the same address (.eml files: choose them, or drop them on the page)',
    {
      type: 'file',
      multiple: true,
      accept: '.eml,message/rfc822',
      onchange: ({ target }) => void sendFiles(target.files),
    },
  )
  const valueOf = ({ lastChild }) => lastChild.value.trim()
  const made = form({
    title: 'Write a mail to the service',
    fields: [from, to, subject],
    send: (text) => {
      const written = { from: valueOf(from), to: valueOf(to), subject: valueOf(subject), text }
      return sendMail('', JSON.stringify(written), 'application/json')
    },
    onClose,
  })
  const result = made.querySelector('.result')
  result.before(eml)

  /** One after the other, so that they keep their order. */
  async function sendFiles(chosen) {
    result.replaceChildren()
    result.classList.remove('wrong')
    for (const file of chosen) {
      const outcome = await sendMail(`?${new URLSearchParams({ to: valueOf(to) })}`, file, 'message/rfc822')
      if (!outcome.ok) result.classList.add('wrong')
      result.append(element('span', {}, `${file.name}: ${outcome.text}`))
    }
  }
  if (files.length > 0) void sendFiles(files)
  return made
}

const input = (name, attributes) =>
  element('label', {}, name, element('input', { ...attributes, autocomplete: 'off', spellcheck: 'false' }))

/** `send` answers whether the text arrived, and what to say. */
function form({ title, fields, send, onClose }) {
  const text = element('textarea', { rows: '8', required: true, 'aria-label': 'Text' })
  const result = element('p', { class: 'result', role: 'status' })
  const submit = element('button', { type: 'submit', class: 'button' }, 'Send')
  async function onsubmit(event) {
    event.preventDefault()
    submit.disabled = true
    const outcome = await send(text.value)
    submit.disabled = false
    result.classList.toggle('wrong', !outcome.ok)
    result.textContent = outcome.text
    if (outcome.ok) text.value = ''
  }
  const actions = element('div', { class: 'actions' }, submit, button('Close', onClose))
  return element(
    'form',
    { class: 'write', onsubmit },
    title && element('h2', {}, title),
    ...fields,
    text,
    actions,
    result,
  )
}

const sendMail = (query, body, type) =>
  post(
    `/_local/mailbox${query}`,
    body,
    type,
    ({ to }) =>
      `In the mailbox ${to}. The service fetches it within a minute, or at once by POST /api/sys/settings/fetch-imap.`,
  )

async function post(path, body, type, said) {
  try {
    const answer = await fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    const { data, message } = await answer.json()
    return { ok: answer.ok, text: answer.ok ? said(data) : message }
  } catch {
    return { ok: false, text: 'The service does not answer.' }
  }
}
