/** Makes an element. Texts become text nodes, so nothing that a message says is read as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== undefined && value !== false) made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}

export const labels = {
  mail: 'Mail',
  sms: 'SMS',
  messenger: 'Messenger',
  webhook: 'Webhook',
  stream: 'Stream',
  event: 'Event',
}

/** The name of a type, in its colour. */
export const badge = (type) => element('span', { class: `badge ${type}` }, labels[type] ?? type)

const time = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' })

/** A moment: the time today, else the day. */
export function moment(at) {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return element('time', { datetime: at, title: whole.format(date) }, (isToday ? time : day).format(date))
}

export const wholeMoment = (at) => element('time', { datetime: at }, whole.format(new Date(at)))

/** A text with its web addresses as links. */
export function linked(text) {
  const parts = text.split(/(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/)
  return parts.map((part, index) =>
    index % 2 === 1 ? element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part) : part,
  )
}
