import { badge, element, moment } from './elements.js'

/** The list of messages. Rows are links to `#<id>`, so the keyboard, history and new windows work as everywhere. */
export function createList(list, empty) {
  const rows = new Map()
  const seen = readSeen()

  function rowOf(entry) {
    const known = rows.get(entry.id)
    if (known) return known
    const row = element(
      'li',
      {},
      element(
        'a',
        { href: `#${entry.id}`, 'data-id': entry.id, class: seen.has(entry.id) ? 'row' : 'row unseen' },
        element(
          'span',
          { class: 'line' },
          element('strong', { class: 'to' }, entry.to.join(', ') || '(nobody)'),
          moment(entry.at),
        ),
        element(
          'span',
          { class: 'line' },
          element('span', { class: 'subject' }, entry.subject || entry.text || '(empty)'),
          failed(entry.meta),
          badge(entry.type),
        ),
        entry.subject
          ? element('span', { class: 'snippet' }, entry.text.replace(/\s+/g, ' ').trim() || ' ')
          : undefined,
      ),
    )
    rows.set(entry.id, row)
    return row
  }

  const links = () => [...list.querySelectorAll('a')]

  return {
    /** Shows these, newest first. `emptyText`: what to say when there are none. */
    show(entries, emptyText) {
      const ids = new Set(entries.map(({ id }) => id))
      for (const [id, row] of rows) {
        if (ids.has(id)) continue
        row.remove()
        rows.delete(id)
      }
      // Rows that stay where they are keep the focus.
      const wanted = entries.map(rowOf)
      wanted.forEach((row, index) => {
        if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
      })
      empty.hidden = entries.length > 0
      empty.replaceChildren(...emptyText)
    },
    /** Marks the message that is shown, and that it has been seen. */
    select(id) {
      for (const link of links()) {
        const isSelected = Number(link.dataset.id) === id
        if (isSelected) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
        if (isSelected) link.classList.remove('unseen')
      }
      if (id !== undefined) seen.add(id)
      keepSeen(seen)
    },
    /** The id next to the shown one: 1 is older, -1 newer. The first one when none is shown. */
    neighbour(id, step) {
      const ids = links().map((link) => Number(link.dataset.id))
      const at = ids.indexOf(id)
      return at === -1 ? ids[0] : ids[at + step]
    },
    focus(id) {
      links()
        .find((link) => Number(link.dataset.id) === id)
        ?.focus()
    },
  }
}

/** What a receiver answered, if it did not accept the message. */
const failed = ({ status, error }) =>
  error || status >= 300 ? element('span', { class: 'badge failed' }, String(error ?? status)) : undefined

const key = 'outbox.seen'
const keptIds = 1000

function readSeen() {
  try {
    return new Set(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return new Set()
  }
}

const keepSeen = (seen) => localStorage.setItem(key, JSON.stringify([...seen].slice(-keptIds)))
