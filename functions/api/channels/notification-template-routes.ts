import * as z from 'zod'
import {
  ListedNotificationTemplate,
  NotificationTemplateAnswer,
  NotificationTemplateChange,
  NotificationTemplateHead,
  NotificationTemplateInput,
  TemplatePreview,
  TemplatePreviewInput,
} from '../../../shared/messages/notification-templates/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'

const tag = 'Notification templates'
const oneTemplate = z.object({ id: idOf('notification template') })
const params = { id: 1 }
const requestCreated = {
  name: 'Request created',
  code: 'request_created',
  subject: 'Request {{request.id}}: {{request.title}}',
  body: '<p>Hello {{client.name}},</p><p>we have received your request <b>{{request.title}}</b>.</p>',
  translations: {
    de: {
      subject: 'Anfrage {{request.id}}: {{request.title}}',
      body: '<p>Guten Tag {{client.name}},</p><p>wir haben Ihre Anfrage <b>{{request.title}}</b> erhalten.</p>',
    },
  },
}
const answered = { ...requestCreated, id: 1, ...exampleTimes, version: 1 }
const requestResolved = {
  name: 'Request resolved',
  code: 'request_resolved',
  subject: 'Request {{request.id}} is resolved',
  body: '<p>Hello {{client.name}},</p><p><b>{{request.title}}</b> is resolved.</p>',
}

export const templateObjectRoutes = objectRoutes({
  path: '/api/sys/notification_templates',
  tag,
  called: { one: 'notification template', many: 'notification templates' },
  answer: NotificationTemplateAnswer,
  input: NotificationTemplateInput,
  change: NotificationTemplateChange,
  neverWarns: true,
  says: {
    list: {
      description: 'Newest first. Administrators see all members, other users `id`, `name` and `code`.',
      permission: signedIn,
      query: listQuery(NotificationTemplateHead),
      answer: ListedNotificationTemplate,
    },
    create: {
      description:
        'Scripts send it by its code: `$api.sendEmail(code, to, params)`. A taken code is 422.\n\n`{{path.to.value}}` in subject and body is replaced by a value of `params`; a number is the position in a list, from 0: `{{items.0.title}}`. Spaces beside the path are ignored. Values are HTML-escaped in the body and never expanded again. A list of plain values is joined with commas, an object is shown as JSON, and what `params` do not have is empty. There are no conditions or loops: scripts prepare the values. `{{record_token}}` becomes a short code of the record that the mail is about, such as `[#requests-42-x7k2mp9q]`: an answer with it in the subject is joined to the record even when its mail program drops the other headers. A parameter of the same name wins; a mail about no record has none. A placeholder that is not closed or names no value is 422 with its line and column. A template with its translations may hold 300 KB.',
    },
    change: {
      description:
        'Members that are left out stay; `translations` are replaced as a whole. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'Its code becomes free. Scripts that name it send nothing, and their log says so.' },
  },
  examples: {
    create: {
      body: requestResolved,
      answer: { ...requestResolved, id: 2, translations: {}, ...exampleTimes, version: 1 },
    },
    stored: answered,
    change: { subject: 'We have received {{request.title}}' },
  },
})

export const previewTemplate = defineRoute({
  method: 'POST',
  path: '/api/sys/notification_templates/{id}/preview',
  tag,
  summary: 'Preview a notification template',
  description:
    'Answers the mail as a recipient with this locale would get it. Nothing is sent. `missing` names the placeholders that `params` have no value for. A body that becomes longer than 1 MB is 422. `{{record_token}}` shows a sample.',
  permission: administrator,
  params: oneTemplate,
  body: TemplatePreviewInput.optional(),
  answer: TemplatePreview,
  example: {
    params,
    body: { params: { request: { id: 1, title: 'Printer jam' } }, locale: 'en' },
    answer: {
      subject: 'Request 1: Printer jam',
      html: '<p>Hello ,</p><p>we have received your request <b>Printer jam</b>.</p>',
      text: 'Hello ,\n\nwe have received your request Printer jam.',
      missing: ['client.name'],
    },
  },
})

export const notificationTemplateRoutes: readonly Route[] = [...Object.values(templateObjectRoutes), previewTemplate]
