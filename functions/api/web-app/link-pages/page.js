/** The pages behind mailed links. Each reads its token from the path and calls the API; the app takes them over later. */
import { language, texts } from './texts.js'

const root = new URL('..', import.meta.url)
const main = document.getElementById('page')
document.documentElement.lang = language

/** Texts become text nodes, so nothing that a company or a person wrote is read as HTML. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== undefined && value !== false) made.setAttribute(key, value)
  }
  made.append(...children.filter(Boolean))
  return made
}

const paragraph = (text, kind) => element('p', kind ? { class: kind } : {}, text)

function show(title, ...content) {
  document.title = title
  main.replaceChildren(...content.filter(Boolean))
  main.querySelector('input')?.focus()
}

const tell = (title, ...paragraphs) => show(title, element('h1', {}, title), ...paragraphs)

/** Calls the API. `status` is 0 when it was not reached. */
async function call(method, path, body, token) {
  try {
    const answer = await fetch(new URL(`api/${path}`, root), {
      method,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json().catch(() => ({})) }
  } catch {
    return { status: 0, body: {} }
  }
}

function problemOf({ status, body }) {
  if (status === 0) return texts.unreachable
  if (status === 429) return texts.tooManyTries
  return status < 500 && body.message ? body.message : texts.failed
}

const email = { name: 'email', label: texts.email, type: 'email', autocomplete: 'email', maxlength: 254 }
const newPasswords = [
  {
    name: 'password',
    label: texts.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: texts.passwordHint,
    minlength: 8,
    maxlength: 128,
  },
  {
    name: 'password_confirmation',
    label: texts.repeat,
    type: 'password',
    autocomplete: 'new-password',
    maxlength: 128,
  },
]

/** A form whose problems stand below their fields. `send` answers true when the form is done. */
function form(fields, action, send) {
  const controls = fields.map(({ name, label, hint, ...attributes }) => {
    const problem = element('span', { class: 'problem', id: `${name}-problem`, role: 'alert' })
    const input = element('input', { name, required: true, 'aria-describedby': problem.id, ...attributes })
    const control = element('label', {}, label, input, hint && element('span', { class: 'hint' }, hint), problem)
    return { name, input, problem, control }
  })
  const problem = element('p', { class: 'problem', role: 'alert' })
  const button = element('button', { type: 'submit' }, action)
  const fail = (errors, message) => {
    const left = { ...errors }
    for (const one of controls) {
      one.problem.textContent = left[one.name]?.[0] ?? ''
      one.input.setAttribute('aria-invalid', Object.hasOwn(left, one.name))
      delete left[one.name]
    }
    const others = Object.values(left).flat()
    problem.textContent = others[0] ?? (Object.keys(errors).length === 0 ? message : '')
    controls.find(({ name }) => Object.hasOwn(errors, name))?.input.focus()
  }
  return element(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault()
        const values = Object.fromEntries(controls.map(({ name, input }) => [name, input.value]))
        if (Object.hasOwn(values, 'password_confirmation') && values.password !== values.password_confirmation)
          return fail({ password_confirmation: [texts.differs] }, '')
        button.disabled = true
        const answer = await send(values)
        button.disabled = false
        if (answer) fail(answer.status === 422 ? (answer.body.errors ?? {}) : {}, problemOf(answer))
      },
    },
    ...controls.map(({ control }) => control),
    problem,
    button,
  )
}

async function join(token) {
  const path = `join/${encodeURIComponent(token)}`
  const { status, body } = await call('GET', path)
  const say = texts.join
  if (status === 404) return tell(say.goneTitle, paragraph(say.gone))
  if (status !== 200) return tell(texts.failed, paragraph(problemOf({ status, body })))
  const { email: address, tenant, invited_by: by, has_account: hasAccount } = body.data
  const fields = hasAccount
    ? [
        {
          name: 'password',
          label: texts.currentPassword,
          type: 'password',
          autocomplete: 'current-password',
          maxlength: 128,
        },
      ]
    : [{ name: 'name', label: texts.name, type: 'text', autocomplete: 'name', maxlength: 200 }, ...newPasswords]
  show(
    say.title(tenant.name),
    element('h1', {}, say.title(tenant.name)),
    paragraph(say.invited(by, tenant.name)),
    paragraph(hasAccount ? say.hasAccount : say.as(address), 'quiet'),
    form(fields, say.action, async (values) => {
      const answer = await call('POST', path, values)
      if (answer.status !== 201) return answer
      // The page signs nobody in: the session that came with the answer ends.
      if (answer.body.token) await call('POST', 'logout', undefined, answer.body.token)
      tell(say.doneTitle, paragraph(say.done(tenant.name)))
    }),
  )
}

function forgot() {
  const say = texts.forgot
  tell(
    say.title,
    paragraph(say.text),
    form([email], say.action, async (values) => {
      const answer = await call('POST', 'password/forgot', values)
      if (answer.status !== 200) return answer
      tell(say.doneTitle, paragraph(say.done))
    }),
  )
}

/** Whether an answer says that the token of the link cannot be used any more. */
const isGone = ({ status, body }) => status === 422 && body.errors?.token !== undefined

function reset(token) {
  const say = texts.reset
  tell(
    say.title,
    paragraph(say.text, 'quiet'),
    form(newPasswords, say.action, async (values) => {
      const answer = await call('POST', 'password/reset', { token, ...values })
      if (isGone(answer)) {
        const again = element('a', { href: new URL('password/forgot', root).href }, say.again)
        return tell(say.goneTitle, paragraph(say.gone), element('p', {}, again))
      }
      if (answer.status !== 200) return answer
      tell(say.doneTitle, paragraph(say.done))
    }),
  )
}

/** By a button: programs that look at links in mails must not confirm anything. */
function verify(token) {
  const say = texts.verify
  tell(
    say.title,
    paragraph(say.text, 'quiet'),
    form([], say.action, async () => {
      const answer = await call('POST', 'email/verify', { token })
      if (isGone(answer)) return tell(say.goneTitle, paragraph(say.gone))
      if (answer.status !== 200) return answer
      tell(say.doneTitle, paragraph(say.done))
    }),
  )
}

const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const moment = (at) => element('time', { datetime: at }, moments.format(new Date(at)))

async function follow(token) {
  const say = texts.follow
  const { status, body } = await call('GET', `follow/${encodeURIComponent(token)}`)
  if (status === 404) return tell(say.goneTitle, paragraph(say.gone))
  if (status !== 200) return tell(texts.failed, paragraph(problemOf({ status, body })))
  const {
    company,
    label,
    number,
    title,
    state,
    created_at: createdAt,
    updated_at: updatedAt,
    comments,
    has_more: hasMore,
  } = body.data
  const name = `${label} ${number}`
  main.classList.add('wide')
  show(
    title === null ? name : `${name}: ${title}`,
    paragraph(company, 'company'),
    element('h1', {}, title ?? name),
    element(
      'p',
      { class: 'facts quiet' },
      state && element('span', { class: 'state' }, state),
      element('span', {}, name),
      element('span', {}, `${say.since} `, moment(createdAt), `, ${say.changed} `, moment(updatedAt)),
    ),
    element('h2', {}, say.conversation),
    hasMore && paragraph(say.more, 'quiet'),
    comments.length === 0
      ? paragraph(say.empty, 'quiet')
      : element(
          'ol',
          { class: 'comments' },
          ...comments.map(({ name: author, body: text, created_at: at }) =>
            element('li', {}, element('header', {}, element('b', {}, author), moment(at)), element('p', {}, text)),
          ),
        ),
  )
}

const pages = [
  [/^join\/([^/]+)$/, join],
  [/^password\/forgot$/, forgot],
  [/^password\/reset\/([^/]+)$/, reset],
  [/^email\/verify\/([^/]+)$/, verify],
  [/^follow\/([^/]+)$/, follow],
]

main.replaceChildren(paragraph(texts.loading, 'quiet'))
const path = location.pathname.slice(root.pathname.length)
for (const [pattern, open] of pages) {
  const [found, token] = pattern.exec(path) ?? []
  if (found !== undefined) void open(token && decodeURIComponent(token))
}
