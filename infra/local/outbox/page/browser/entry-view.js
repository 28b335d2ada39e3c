import { badge, element, linked, wholeMoment } from './elements.js'
import { answerForm } from './write-mail.js'

/** Shows one message: who, to whom, when, and its content in tabs. `remove` is called by its button. */
export function showEntry(view, entry, { remove, preferred, onTab }) {
  const tabs = tabsOf(entry)
  const panel = element('div', { class: 'panel', id: 'panel', role: 'tabpanel', tabindex: '0' })
  const buttons = tabs.map(({ name }, index) =>
    element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name.toLowerCase()}`,
        'aria-controls': 'panel',
        onclick: () => choose(index),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
          if (!step) return
          event.preventDefault()
          event.stopPropagation()
          choose((index + step + tabs.length) % tabs.length).focus()
        },
      },
      name,
    ),
  )

  function open(index) {
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', at === index)
      button.tabIndex = at === index ? 0 : -1
    })
    panel.setAttribute('aria-labelledby', buttons[index].id)
    panel.replaceChildren(tabs[index].content())
    return buttons[index]
  }

  /** What a person chose is shown for the next message too. */
  function choose(index) {
    onTab(tabs[index].name)
    return open(index)
  }

  /** The form takes the place of the content, under what is answered. */
  function answer() {
    const close = () =>
      open(
        Math.max(
          0,
          tabs.findIndex(({ name }) => name === preferred),
        ),
      )
    panel.replaceChildren(answerForm(entry, { onClose: close }))
    panel.querySelector('textarea').focus()
  }

  view.replaceChildren(
    element(
      'header',
      { class: 'head' },
      element(
        'div',
        { class: 'actions' },
        element('a', { href: '#', class: 'button back' }, '‹ Outbox'),
        badge(entry.type),
        element('span', { class: 'grow' }),
        entry.type === 'mail' &&
          element('button', { type: 'button', class: 'button', onclick: answer }, 'Answer as the customer'),
        element(
          'button',
          { type: 'button', class: 'button', onclick: (event) => copy(entry.text, event.target) },
          'Copy text',
        ),
        element('button', { type: 'button', class: 'button danger', onclick: remove }, 'Delete'),
      ),
      element('h2', {}, entry.subject || (entry.type === 'mail' ? '(no subject)' : (entry.to[0] ?? ''))),
      facts(mainFacts(entry)),
      element('details', {}, element('summary', {}, 'More'), facts(otherFacts(entry))),
      element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Content' }, ...buttons),
    ),
    panel,
  )
  open(
    Math.max(
      0,
      tabs.findIndex(({ name }) => name === preferred),
    ),
  )
}

/** What stands in the place of a message. */
export function showNothing(view, ...text) {
  view.replaceChildren(element('div', { class: 'empty' }, ...text))
}

function tabsOf({ id, type, html, text, source }) {
  const plain = (content) => () =>
    element(
      'pre',
      { class: type === 'mail' || type === 'sms' || type === 'messenger' ? 'prose' : '' },
      ...linked(content),
    )
  return [
    ...(html === undefined ? [] : [{ name: 'Rendered', content: () => frame(id, html) }]),
    { name: 'Text', content: plain(pretty(text)) },
    { name: 'Source', content: () => element('pre', {}, source) },
  ]
}

/** Mails are hostile: the frame runs no script and has no origin. Links open in another window. */
function frame(id, html) {
  const shown = element('iframe', {
    src: `/_local/outbox/${id}/html`,
    title: 'The mail as it looks',
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    referrerpolicy: 'no-referrer',
  })
  const isWhole = !/<(img|link)\b[^>]*https?:|url\(\s*['"]?https?:/i.test(html)
  return isWhole
    ? shown
    : element(
        'div',
        { class: 'framed' },
        element('p', { class: 'note' }, 'Images and styles of other hosts are not loaded here.'),
        shown,
      )
}

/** JSON is shown over several lines. */
function pretty(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

const facts = (pairs) =>
  element(
    'dl',
    { class: 'facts' },
    ...pairs
      .filter(([, value]) => value !== undefined && value !== '')
      .flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )

/** What a person looks for first; the rest is folded. */
const mainMeta = ['cc', 'reply_to', 'attachments', 'status', 'error', 'partition_key']
const spoken = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ')

const mainFacts = ({ from, to, at, meta }) => [
  ['From', from],
  ['To', to.join(', ')],
  ...mainMeta.filter((name) => name in meta).map((name) => [spoken(name), String(meta[name])]),
  ['At', wholeMoment(at)],
]

const otherFacts = ({ provider, function: sender, meta }) => [
  ...Object.entries(meta)
    .filter(([name]) => !mainMeta.includes(name))
    .map(([name, value]) => [spoken(name), String(value)]),
  ['Left through', provider],
  ['Sent by', sender],
]

async function copy(text, button) {
  await navigator.clipboard.writeText(text)
  const before = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = before), 1500)
}
