/** The page of the outbox: asks every second whether something left, and shows it. */
import { element, labels } from './elements.js'
import { createList } from './entry-list.js'
import { showEntry, showNothing } from './entry-view.js'
import { mailForm } from './write-mail.js'

const api = '/_local/outbox'
const everyMs = 1000
const byId = (id) => document.getElementById(id)
const [search, types, view, status, write, clear] = ['search', 'types', 'view', 'status', 'write', 'clear'].map(byId)
const list = createList(byId('list'), byId('empty'))

const state = { type: '', q: '', etag: undefined, url: undefined, entries: [], tab: 'Rendered', shown: undefined }

const ask = (path, options = {}) =>
  fetch(api + path, { cache: 'no-store', ...options, headers: { accept: 'application/json', ...options.headers } })

/** Reads the list, when it changed. Answers of earlier searches that come late are dropped. */
async function refresh() {
  const url = currentUrl()
  const isSame = url === state.url
  const answer = await ask(url, { headers: isSame && state.etag ? { 'if-none-match': state.etag } : {} }).catch(
    () => undefined,
  )
  if (!answer) return setStatus('offline', 'Not connected')
  setStatus('live', 'Live')
  if (answer.status !== 200) return
  const { data, meta } = await answer.json()
  if (url !== currentUrl()) return
  const newest = state.entries[0]?.id ?? 0
  const added = isSame ? data.filter(({ id }) => id > newest).length : 0
  Object.assign(state, { entries: data, etag: answer.headers.get('etag'), url })
  list.show(data, emptyText())
  list.select(state.shown)
  showTypes(meta.counts)
  if (added > 0) announce(added)
  if (!document.hidden) document.title = 'Outbox'
}

const currentUrl = () =>
  `?${new URLSearchParams({ summary: 'true', ...(state.type && { type: state.type }), ...(state.q && { q: state.q }) })}`

function setStatus(name, text) {
  if (status.dataset.state === name) return
  status.dataset.state = name
  status.textContent = text
}

/** For who looks elsewhere: in the title, and read aloud. */
function announce(added) {
  document.title = document.hidden ? `(${added}) Outbox` : 'Outbox'
  status.setAttribute('aria-label', `${added} new`)
}

function emptyText() {
  if (state.q || state.type)
    return [
      'Nothing matches. ',
      element('button', { type: 'button', class: 'link', onclick: resetFilter }, 'Show all messages'),
    ]
  return [
    element('strong', {}, 'Nothing has left yet'),
    element('p', {}, 'Mails, SMS, messenger texts, webhooks and stream records appear here as they are sent.'),
  ]
}

function showTypes(counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  clear.disabled = total === 0
  const choices = [['', 'All', total], ...Object.entries(labels).map(([type, label]) => [type, label, counts[type]])]
  if (types.children.length === 0)
    types.append(
      ...choices.map(([type, label]) =>
        element(
          'button',
          { type: 'button', 'data-type': type, onclick: () => filterBy({ type }) },
          `${label} `,
          element('span', { class: 'count' }),
        ),
      ),
    )
  choices.forEach(([type, , count], index) => {
    const button = types.children[index]
    button.setAttribute('aria-pressed', type === state.type)
    button.classList.toggle('none', count === 0)
    button.querySelector('.count').textContent = count
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

/** Shows the message of the address, as `#<id>`. */
async function open() {
  const id = Number(location.hash.slice(1)) || undefined
  document.body.classList.toggle('reading', id !== undefined)
  state.shown = id
  list.select(id)
  if (id === undefined)
    return showNothing(
      view,
      'Choose a message. ',
      element('kbd', {}, 'j'),
      ' ',
      element('kbd', {}, 'k'),
      ' move, ',
      element('kbd', {}, '/'),
      ' searches, ',
      element('kbd', {}, 'Delete'),
      ' deletes.',
    )
  const answer = await ask(`/${id}`)
  const { data } = await answer.json()
  // Something else may have been chosen while the answer was on its way.
  if (state.shown !== id) return
  if (!answer.ok) return showNothing(view, 'This message is no longer in the outbox.')
  showEntry(view, data, { remove: () => remove(id), preferred: state.tab, onTab: (name) => (state.tab = name) })
}

async function remove(id) {
  const next = list.neighbour(id, 1) ?? list.neighbour(id, -1)
  await ask(`/${id}`, { method: 'DELETE' })
  const isStillShown = state.shown === id
  if (isStillShown) location.hash = next === undefined || next === id ? '' : `#${next}`
  await refresh()
  if (isStillShown && document.activeElement !== search) list.focus(next)
}

/** A mail to the service, in the place of a message. */
function writeMail(files) {
  history.replaceState(null, '', location.pathname)
  state.shown = undefined
  list.select(undefined)
  document.body.classList.add('reading')
  view.replaceChildren(mailForm({ onClose: () => void open(), files }))
  view.querySelector('input').focus()
}
write.addEventListener('click', () => writeMail())

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files')
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
  addEventListener(name, (event) => {
    if (!hasFiles(event)) return
    // Else the browser opens the file in place of the page.
    event.preventDefault()
    const isLeft = name === 'drop' || (name === 'dragleave' && event.relatedTarget === null)
    document.body.classList.toggle('dropping', !isLeft)
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
  if (event.target === search) {
    if (event.key === 'Escape') return search.blur()
    if (event.key !== 'ArrowDown') return
  }
  // The arrows scroll a message that has the focus.
  if (event.key.startsWith('Arrow') && event.target.closest?.('.panel')) return
  event.preventDefault()
  void action()
})

function move(step) {
  const id = list.neighbour(state.shown, step)
  if (id === undefined) return
  // Before the event of the address: keys may come faster.
  state.shown = id
  location.hash = `#${id}`
  list.focus(id)
}

document.addEventListener('visibilitychange', () => void (document.hidden || refresh()))

async function poll() {
  await refresh()
  setTimeout(poll, everyMs)
}
void open()
void poll()
