/** The page of the outbox: asks every second whether something left, and shows it. */
import { badge, button, element, labels, moment } from './elements.js'
import { showMessage } from './message.js'
import { mailForm } from './write.js'

const api = '/_local/outbox'
const everyMs = 1000
const byId = (id) => document.getElementById(id)
const [search, types, status, write, clear] = ['search', 'types', 'status', 'write', 'clear'].map(byId)
const [view, list, empty] = ['view', 'list', 'empty'].map(byId)

const state = { type: '', q: '', etag: undefined, url: undefined, entries: [], tab: 'Rendered', shown: undefined }

const ask = (path, options = {}) =>
  fetch(api + path, { cache: 'no-store', ...options, headers: { accept: 'application/json', ...options.headers } })

const currentUrl = () =>
  `?${new URLSearchParams({ summary: 'true', ...(state.type && { type: state.type }), ...(state.q && { q: state.q }) })}`

/** Reads the list, when it changed. Answers of earlier searches that come late are dropped. */
async function refresh() {
  const url = currentUrl()
  const isSame = url === state.url
  const headers = isSame && state.etag ? { 'if-none-match': state.etag } : {}
  const answer = await ask(url, { headers }).catch(() => undefined)
  status.dataset.state = answer ? 'live' : 'offline'
  const text = answer ? 'Live' : 'Not connected'
  if (status.textContent !== text) status.textContent = text
  if (answer?.status !== 200) return
  const { data, meta } = await answer.json()
  if (url !== currentUrl()) return
  const newest = state.entries[0]?.id ?? 0
  const added = isSame ? data.filter(({ id }) => id > newest).length : 0
  Object.assign(state, { entries: data, etag: answer.headers.get('etag'), url })
  showRows()
  showTypes(meta.counts)
  // For who looks elsewhere: in the title, and read aloud.
  if (added > 0) status.setAttribute('aria-label', `${added} new`)
  if (added > 0 && document.hidden) document.title = `(${added}) Outbox`
  if (!document.hidden) document.title = 'Outbox'
}

/* The list. Rows are links to `#<id>`, so the keyboard, history and new windows work as everywhere. */

const rows = new Map()
const seenKey = 'outbox.seen'
const seen = new Set(readSeen())

function readSeen() {
  try {
    return JSON.parse(localStorage.getItem(seenKey) ?? '[]')
  } catch {
    return []
  }
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const isToday = (at) => new Date(at).toDateString() === new Date().toDateString()

function rowOf({ id, at, type, to, subject, text, meta }) {
  const problem = meta.error || (meta.status >= 300 && meta.status)
  const line = (...children) => element('span', { class: 'line' }, ...children)
  const row = element(
    'a',
    { href: `#${id}`, 'data-id': id, class: seen.has(id) ? 'row' : 'row unseen' },
    line(element('strong', { class: 'to' }, to.join(', ') || '(nobody)'), moment(at, isToday(at) ? time : day)),
    line(
      element('span', { class: 'subject' }, subject || text || '(empty)'),
      problem && element('span', { class: 'badge failed' }, String(problem)),
      badge(type),
    ),
    subject ? element('span', { class: 'snippet' }, text.replace(/\s+/g, ' ').trim() || ' ') : undefined,
  )
  return element('li', {}, row)
}

/** Shows the entries, newest first. Rows that stay where they are keep the focus. */
function showRows() {
  const ids = new Set(state.entries.map(({ id }) => id))
  for (const [id, row] of rows) {
    if (ids.has(id)) continue
    row.remove()
    rows.delete(id)
  }
  state.entries.forEach((entry, index) => {
    const row = rows.get(entry.id) ?? rowOf(entry)
    rows.set(entry.id, row)
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
  })
  empty.hidden = state.entries.length > 0
  empty.replaceChildren(
    ...(state.q || state.type
      ? ['Nothing matches. ', button('Show all messages', resetFilter)]
      : [
          element('strong', {}, 'Nothing has left yet'),
          element('p', {}, 'Mails, SMS, messenger texts, webhooks and stream records appear here as they are sent.'),
        ]),
  )
  mark(state.shown)
}

/** Marks the message that is shown, and that it has been seen. */
function mark(id) {
  state.shown = id
  for (const link of list.querySelectorAll('a')) {
    const isShown = Number(link.dataset.id) === id
    if (isShown) link.classList.remove('unseen')
    if (isShown) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  if (id === undefined || seen.has(id)) return
  seen.add(id)
  localStorage.setItem(seenKey, JSON.stringify([...seen].slice(-1000)))
}

/** The id next to the shown one: 1 is older, -1 newer. The first one when none is shown. */
function neighbour(step) {
  const at = state.entries.findIndex(({ id }) => id === state.shown)
  return state.entries[at === -1 ? 0 : at + step]?.id
}
const focus = (id) => rows.get(id)?.firstChild.focus()

function showTypes(counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  clear.disabled = total === 0
  const choices = [['', 'All', total], ...Object.entries(labels).map(([type, label]) => [type, label, counts[type]])]
  if (types.children.length === 0)
    for (const [type, label] of choices) {
      const onclick = () => filterBy({ type })
      types.append(element('button', { type: 'button', onclick }, `${label} `, element('span', { class: 'count' })))
    }
  choices.forEach(([type, , count], index) => {
    const choice = types.children[index]
    choice.setAttribute('aria-pressed', type === state.type)
    choice.classList.toggle('none', count === 0)
    choice.lastChild.textContent = count
  })
}

function filterBy(change) {
  Object.assign(state, change)
  return refresh()
}

function resetFilter() {
  search.value = ''
  void filterBy({ type: '', q: '' })
}

const nothing = (...text) => view.replaceChildren(element('div', { class: 'empty' }, ...text))
const key = (name) => element('kbd', {}, name)

/** Shows the message of the address, as `#<id>`. */
async function open() {
  const id = Number(location.hash.slice(1)) || undefined
  document.body.classList.toggle('reading', id !== undefined)
  mark(id)
  if (id === undefined)
    return nothing(
      'Choose a message. ',
      key('j'),
      ' ',
      key('k'),
      ' move, ',
      key('/'),
      ' searches, ',
      key('Delete'),
      ' deletes.',
    )
  const answer = await ask(`/${id}`)
  const { data } = await answer.json()
  // Something else may have been chosen while the answer was on its way.
  if (state.shown !== id) return
  if (!answer.ok) return nothing('This message is no longer in the outbox.')
  showMessage(view, data, { remove: () => remove(id), preferred: state.tab, onTab: (name) => (state.tab = name) })
}

async function remove(id) {
  const next = neighbour(1) ?? neighbour(-1)
  await ask(`/${id}`, { method: 'DELETE' })
  const isStillShown = state.shown === id
  if (isStillShown) location.hash = next === undefined || next === id ? '' : `#${next}`
  await refresh()
  if (isStillShown && document.activeElement !== search) focus(next)
}

/** A mail to the service, in the place of a message. */
function writeMail(files) {
  history.replaceState(null, '', location.pathname)
  mark(undefined)
  document.body.classList.add('reading')
  view.replaceChildren(mailForm({ onClose: () => void open(), files }))
  view.querySelector('input').focus()
}
write.addEventListener('click', () => writeMail())

for (const name of ['dragover', 'dragleave', 'drop'])
  addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Else the browser opens the file in place of the page.
    event.preventDefault()
    document.body.classList.toggle('dropping', name === 'dragover')
    if (name === 'drop') writeMail([...event.dataTransfer.files])
  })

clear.addEventListener('click', async () => {
  if (!confirm('Delete all messages of the outbox?')) return
  await ask('', { method: 'DELETE' })
  location.hash = ''
  await refresh()
})

search.addEventListener('input', () => void filterBy({ q: search.value.trim() }))
addEventListener('hashchange', () => void open())
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()))

const keys = {
  '/': () => search.focus(),
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Delete: () => state.shown !== undefined && remove(state.shown),
  Escape: () => (location.hash = ''),
}

addEventListener('keydown', (event) => {
  const action = keys[event.key]
  const isWriting = event.target !== search && event.target.closest?.('input, textarea')
  if (!action || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target === search && event.key === 'Escape') return search.blur()
  if (event.target === search && event.key !== 'ArrowDown') return
  // The arrows scroll a message that has the focus.
  if (event.key.startsWith('Arrow') && event.target.closest?.('.panel')) return
  event.preventDefault()
  void action()
})

function move(step) {
  const id = neighbour(step)
  if (id === undefined) return
  // Before the event of the address: keys may come faster.
  state.shown = id
  location.hash = `#${id}`
  focus(id)
}

async function poll() {
  await refresh()
  setTimeout(poll, everyMs)
}
void open()
void poll()
