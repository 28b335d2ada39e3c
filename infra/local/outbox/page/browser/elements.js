/** Makes an element. Texts become text nodes, so nothing that a message says is read as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}

export const button = (text, onclick, more = '') =>
  element('button', { type: 'button', class: `button ${more}`, onclick }, text)

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

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' })
/** A moment, whole or as `format` says it. */
export const moment = (at, format = whole) =>
  element('time', { datetime: at, title: whole.format(new Date(at)) }, format.format(new Date(at)))
