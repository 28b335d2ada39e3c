import { badge, button, element, moment } from './elements.js'
import { answerForm } from './write.js'

/** Shows one message: who, to whom, when, and its content in tabs. `remove` is called by its button. */
export function showMessage(view, entry, { remove, preferred, onTab }) {
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
  const openPreferred = () => open(Math.max(0, tabs.map(({ name }) => name).indexOf(preferred)))

  function open(index) {
    buttons.forEach((one, at) => {
      one.setAttribute('aria-selected', at === index)
      one.tabIndex = at === index ? 0 : -1
    })
    panel.setAttribute('aria-labelledby', buttons[index].id)
    panel.replaceChildren(tabs[index].content())
    return buttons[index]
  }

  /** What a person chose is shown for the next message too. */
  function choose(index) {
    onTab((preferred = tabs[index].name))
    return open(index)
  }

  /** The form takes the place of the content, under what is answered. */
  function answer() {
    panel.replaceChildren(answerForm(entry, openPreferred))
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
        (entry.type === 'mail' || entry.type === 'messenger') && button('Answer as the customer', answer),
        button('Copy text', (event) => copy(entry.text, event.target)),
        button('Delete', remove, 'danger'),
      ),
      element('h2', {}, entry.subject || (entry.type === 'mail' ? '(no subject)' : (entry.to[0] ?? ''))),
      facts(mainFacts(entry)),
      element('details', {}, element('summary', {}, 'More'), facts(otherFacts(entry))),
      element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Content' }, ...buttons),
    ),
    panel,
  )
  openPreferred()
}

function tabsOf({ id, type, html, text, source }) {
  const isProse = type === 'mail' || type === 'sms' || type === 'messenger'
  return [
    ...(html === undefined ? [] : [{ name: 'Rendered', content: () => frame(id, html) }]),
    { name: 'Text', content: () => element('pre', { class: isProse ? 'prose' : '' }, ...linked(pretty(text))) },
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
  if (!/<(img|link)\b[^>]*https?:|url\(\s*['"]?https?:/i.test(html)) return shown
  const note = element('p', { class: 'note' }, 'Images and styles of other hosts are not loaded here.')
  return element('div', { class: 'framed' }, note, shown)
}

/** A text with its web addresses as links. */
const linked = (text) =>
  text
    .split(/(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/)
    .map((part, index) =>
      index % 2 === 1 ? element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part) : part,
    )

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
    ...pairs.flatMap(([name, value]) => (value ? [element('dt', {}, name), element('dd', {}, value)] : [])),
  )

/** What a person looks for first; the rest is folded. */
const mainMeta = ['cc', 'reply_to', 'attachments', 'status', 'error', 'partition_key']
const spoken = ([name, value]) => [name[0].toUpperCase() + name.slice(1).replaceAll('_', ' '), String(value)]

const mainFacts = ({ from, to, at, meta }) => [
  ['From', from],
  ['To', to.join(', ')],
  ...mainMeta.filter((name) => name in meta).map((name) => spoken([name, meta[name]])),
  ['At', moment(at)],
]

const otherFacts = ({ provider, function: sender, meta }) => [
  ...Object.entries(meta)
    .filter(([name]) => !mainMeta.includes(name))
    .map(spoken),
  ['Left through', provider],
  ['Sent by', sender],
]

async function copy(text, pressed) {
  await navigator.clipboard.writeText(text)
  pressed.textContent = 'Copied'
  setTimeout(() => (pressed.textContent = 'Copy text'), 1500)
}
