import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Notification } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import { expressiveText } from './extensions.ts'

/** Reads a `wf:notify`: recipients, channel and text. The default channel is the notification bell, and for a template the mail. */
export function readNotify(node: BpmnElement, notify: BpmnElement, report: Report): Notification {
  const text = (attribute: string): string | undefined => expressiveText(notify, attribute, report, node)
  const to = text('to')
  const [template, title, written] = [text('template'), text('title'), text('text')]
  const body = written ?? expressiveText(notify, 'body', report, node)
  if (notify.to === undefined)
    report(node, `${describe(node)}: a wf:notify needs to say whom, for example to="role:agent".`)
  if (template === undefined && title === undefined && body === undefined) {
    report(node, `${describe(node)}: a wf:notify needs to say what: a template, or title and text.`)
  }
  return {
    channel: text('channel') ?? (template === undefined ? 'push' : 'email'),
    to: to ?? '',
    ...(template === undefined ? {} : { template }),
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { text: body }),
  }
}
