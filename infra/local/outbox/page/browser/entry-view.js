import { badge, element, linked, wholeMoment } from './elements.js'

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

  view.replaceChildren(
    element(
      'header',
      { class: 'head' },
      element(
        'div',
        { class: 'actions' },
        element('a', { href: '#', class: 'button back' }, '‹ All messages'),
        badge(entry.type),
        element('span', { class: 'grow' }),
        element(
          'button',
          { type: 'button', class: 'button', onclick: (event) => copy(entry.text, event.target) },
          'Copy text',
        ),
        element('button', { type: 'button', class: 'button danger', onclick: remove }, 'Delete'),
      ),
      element('h2', {}, entry.subject || (entry.type === 'mail' ? '(no subject)' : (entry.to[0] ?? ''))),
      element(
        'dl',
        { class: 'facts' },
        ...factsOf(entry).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
      ),
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
    ...(html === undefined ? [] : [{ name: 'Rendered', content: () => frame(id) }]),
    { name: 'Text', content: plain(pretty(text)) },
    { name: 'Source', content: () => element('pre', {}, source) },
  ]
}

/** Mails are hostile: the frame runs no script and has no origin. Links open in another window. */
const frame = (id) =>
  element('iframe', {
    src: `/_local/outbox/${id}/html`,
    title: 'The mail as it looks',
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    referrerpolicy: 'no-referrer',
  })

/** JSON is shown over several lines. */
function pretty(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

function factsOf({ from, to, at, provider, function: sender, meta }) {
  const facts = [
    ['From', from],
    ['To', to.join(', ')],
    ['At', wholeMoment(at)],
    ...Object.entries(meta).map(([name, value]) => [
      name[0].toUpperCase() + name.slice(1).replaceAll('_', ' '),
      String(value),
    ]),
    ['Left through', sender === undefined ? provider : `${provider}, sent by ${sender}`],
  ]
  return facts.filter(([, value]) => value !== undefined && value !== '')
}

async function copy(text, button) {
  await navigator.clipboard.writeText(text)
  const before = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = before), 1500)
}
