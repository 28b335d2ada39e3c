import { eventually } from '../../make/builders/processes/processes.ts'
import { sample } from '../../make/builders/records/uploads.ts'
import type { DemoService } from '../../make/services/demo-service.ts'

/** What a reader fills in: ids and secrets that only an answer of the service tells. */
export interface FilledIn {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

type Data = (method: string, path: string, body?: object) => Promise<any>
type Prepare = (
  demo: DemoService,
  data: (method: string, path: string, body?: object) => Promise<any>,
) => Promise<FilledIn>

const invitation: Prepare = async (_demo, data) => {
  const { token } = await data('POST', '/api/tenant/invite', { email: 'hedy@example.com', roles: ['agent'] })
  return { params: { token } }
}

/** A delivery to a receiver that nobody runs. */
const failingDelivery: Prepare = async (demo, data) => {
  const config = { url: 'http://127.0.0.1:9/', retry_schedule: [0, 3600] }
  const name = `Dead ${Date.now()}`
  const channel = await data('POST', '/api/sys/channels', { name, type: 'webhook', config })
  const table = { name: `Tell ${name}`, table: 'requests', events: ['create'], channel_id: channel.id }
  await data('POST', '/api/sys/subscriptions', table)
  await data('POST', '/api/e/requests', { title: name })
  const id = await eventually<number>('the delivery is retried', async () => {
    await demo.cloud.idle()
    const [delivery] = await data('GET', `/api/sys/deliveries?channel_id=${channel.id}&status=retrying`)
    return delivery?.id
  })
  return { params: { id } }
}

/** A bulk change of one client, which nobody changed since. */
const batch: Prepare = async (_demo, data) => {
  const client = await data('POST', '/api/e/clients', { name: 'Changed in bulk' })
  const { batch_id: id } = await data('POST', '/api/e/clients/bulk', { ids: [client.id], set: { name: 'Changed' } })
  return { params: { id } }
}

/** A file of clients that is uploaded. */
const clientsFile = async (data: Data): Promise<string> => {
  const content = Buffer.from('Name,E-Mail,Remark\nDana Reyes,dana@northwind.example,\n')
  const file = { name: 'clients.csv', content_type: 'text/csv', size: content.length }
  const { path, upload } = await data('POST', '/api/files', file)
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: content })
  return path
}

/** A request, for what others do not need afterwards. */
const request = async (data: Data, title: string): Promise<number> =>
  (await data('POST', '/api/e/requests', { title })).id

let failed: number | undefined

/** A process whose script names a client that does not exist. */
const incident: Prepare = async (demo, data) => {
  failed ??= await failingProcess(demo, data)
  return { params: { id: failed } }
}

const failingProcess = async (demo: DemoService, data: Data): Promise<number> => {
  const template = await data('POST', '/api/sys/process-templates', {
    name: 'Notify client',
    code: 'notify_client',
    table: 'requests',
    bpmn_xml: `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:demo">
      <process id="notify_client" isExecutable="true"><startEvent id="created"/><sequenceFlow id="a" sourceRef="created" targetRef="notify"/>
      <scriptTask id="notify" scriptFormat="javascript"><script>$api.update('clients', 99, { phone: '1' })</script></scriptTask>
      <sequenceFlow id="b" sourceRef="notify" targetRef="done"/><endEvent id="done"/></process></definitions>`,
  })
  const { id } = await data('POST', '/api/sys/process-instances', {
    template_id: template.id,
    model: 'requests',
    record_id: 2,
  })
  await eventually('the incident', async () => {
    await demo.cloud.idle()
    return (await data('GET', `/api/sys/process-instances/${id}`)).status === 'incident' || undefined
  })
  return id
}

let operated = 0
/** An instance that waits for an approval, of a template of its own. */
const ownInstance = async (data: Data) => {
  const code = `own_approval_${(operated += 1)}`
  const template = await data('POST', '/api/sys/process-templates', {
    name: 'Request approval',
    code,
    table: 'requests',
    bpmn_xml: `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" id="d" targetNamespace="urn:demo">
      <process id="approval" isExecutable="true"><startEvent id="created" name="Request created"/><sequenceFlow id="a" sourceRef="created" targetRef="approve"/>
      <userTask id="approve" name="Approve the request" wf:candidateRoles="agent" wf:outcomes="approved,rejected" wf:dueDate="P1D"/>
      <sequenceFlow id="b" sourceRef="approve" targetRef="done"/><endEvent id="done"/></process></definitions>`,
  })
  const start = { template_id: template.id, record_id: await request(data, 'To be approved') }
  return { template, id: (await data('POST', '/api/sys/process-instances', start)).id as number }
}
const operatedInstance: Prepare = async (_demo, data) => ({ params: { id: (await ownInstance(data)).id } })

const figuredTemplate: Prepare = async (_demo, data) => ({ params: { id: (await ownInstance(data)).template.id } })

/** A template of which nothing runs. */
const endedTemplate: Prepare = async (_demo, data) => {
  const { template, id } = await ownInstance(data)
  await data('POST', `/api/sys/process-instances/${id}/cancel`)
  return { params: { id: template.id } }
}

/** An instance of the first of two versions. */
const secondVersion: Prepare = async (_demo, data) => {
  const { template, id } = await ownInstance(data)
  const bpmn_xml = template.bpmn_xml.replace('</process>', '<!-- Second version. --></process>')
  await data('PUT', `/api/sys/process-templates/${template.id}`, { bpmn_xml })
  return { params: { id } }
}

/** The task of an instance of its own, open or with the administrator. */
const ownTask =
  (isClaimed = false): Prepare =>
  async (_demo, data) => {
    const { id } = await ownInstance(data)
    const tasks = await data('GET', '/api/sys/process-tasks?status=pending&per_page=100')
    const task = tasks.find(({ instance_id }: { instance_id: number }) => instance_id === id)
    if (isClaimed) await data('POST', `/api/sys/process-tasks/${task.id}/claim`)
    return { params: { id: task.id } }
  }

const suspendedInstance: Prepare = async (_demo, data) => {
  const { id } = await ownInstance(data)
  await data('POST', `/api/sys/process-instances/${id}/suspend`)
  return { params: { id } }
}

/** A process in which activities begin by request. */
const onboarding: Prepare = async (_demo, data) => {
  const template = await data('POST', '/api/sys/process-templates', {
    name: 'Onboard a client',
    code: 'onboard_client',
    table: 'requests',
    bpmn_xml: `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" id="d" targetNamespace="urn:demo">
      <process id="onboard_client" isExecutable="true"><startEvent id="created"/><sequenceFlow id="a" sourceRef="created" targetRef="onboarding"/>
      <adHocSubProcess id="onboarding" wf:begin="onRequest"><userTask id="call_client" name="Call the client"/>
      <completionCondition>variables.is_done === true</completionCondition></adHocSubProcess>
      <sequenceFlow id="b" sourceRef="onboarding" targetRef="done"/><endEvent id="done"/></process></definitions>`,
  })
  const about = { template_id: template.id, model: 'requests', record_id: 2 }
  return { params: { id: (await data('POST', '/api/sys/process-instances', about)).id } }
}

/** A request of the administrator, for those that are about one. */
const portalRequest = async (_demo: DemoService, data: Data) => ({ params: { id: (await sent(data)).id } })
const sent = (data: Data): Promise<any> =>
  data('POST', '/api/portal/requests', { item_id: 1, data: { title: 'A laptop for Grace' } })

/** Somebody who can be added to a request. */
let grace: number | undefined
const person = async (data: Data): Promise<number> => {
  const user = { name: 'Grace Hopper', email: 'grace.hopper@example.com', password: 'correct horse battery', roles: [] }
  return (grace ??= (await data('POST', '/api/sys/users', user)).id as number)
}

/** A message that no rule took. */
const printerJam = async (data: Data): Promise<number> => {
  const message = {
    from_name: 'Ada Lovelace',
    from_email: 'ada@example.com',
    subject: 'Printer jam',
    body: 'The printer on floor 2 is jammed again.',
  }
  return (await data('POST', '/api/sys/incoming_messages', message)).id
}

/** A task that asks the administrator for an outcome, about a request of the portal. */
const approval = async (data: Data): Promise<number> => {
  const template = await data('POST', '/api/sys/process-templates', {
    name: 'Approve',
    code: 'approve',
    table: 'requests',
    bpmn_xml: `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" id="d" targetNamespace="urn:demo">
      <process id="approve" isExecutable="true"><startEvent id="created"/><sequenceFlow id="a" sourceRef="created" targetRef="ask"/>
      <userTask id="ask" name="May it be bought?" wf:assignee="1" wf:outcomes="approved,rejected"/>
      <sequenceFlow id="b" sourceRef="ask" targetRef="done"/><endEvent id="done"/></process></definitions>`,
  })
  await sent(data)
  const [{ id: record_id }] = await data('GET', '/api/e/requests?sort=-id&per_page=1')
  await data('POST', '/api/sys/process-instances', { template_id: template.id, model: 'requests', record_id })
  return eventually('the task', async () => {
    const asked = await data('GET', '/api/portal/approvals')
    return asked.find(({ name }: { name: string }) => name === 'May it be bought?')?.id
  })
}

/** A request that an agent has closed. */
const closedRequest = async (_demo: DemoService, data: Data) => {
  const { id } = await sent(data)
  const [record] = await data('GET', '/api/e/requests?per_page=1')
  await data('PATCH', `/api/e/requests/${record.id}`, { status: 'closed' })
  return { params: { id } }
}

export const prepared: Readonly<Record<string, Prepare>> = {
  'GET /api/join/{token}': invitation,
  'POST /api/join/{token}': invitation,
  'DELETE /api/tenant/invitations/{id}': async (_demo, data) => ({
    params: { id: (await data('POST', '/api/tenant/invite', { email: 'joan@example.com', roles: ['agent'] })).id },
  }),
  // The first channel has subscriptions.
  'DELETE /api/sys/channels/{id}': async (_demo, data) => {
    const channel = { name: 'Unused', type: 'webhook', config: { url: 'http://127.0.0.1:9/' } }
    return { params: { id: (await data('POST', '/api/sys/channels', channel)).id } }
  },
  'DELETE /api/user/sessions/{id}': async (demo, data) => {
    await demo.signIn('ada@example.com')
    const [session] = (await data('GET', '/api/user/sessions')).filter(({ is_current }: any) => !is_current)
    return { params: { id: session.id } }
  },
  'GET /api/files': async (_demo, data) => {
    const file = { name: 'printer.png', content_type: 'image/png', size: sample.png.length }
    const { path, upload } = await data('POST', '/api/files', file)
    await fetch(upload.url, { method: upload.method, headers: upload.headers, body: sample.png })
    return { query: { path } }
  },
  'POST /api/e/{model}/{id}/restore': async () => ({ body: { as_of: new Date().toISOString() } }),
  'POST /api/notifications/{id}/read': async (_demo, data) => ({
    params: {
      id: (await data('GET', '/api/notifications')).find(({ title }: any) => title.endsWith('Approve the request')).id,
    },
  }),
  'POST /api/sys/deliveries/{id}/cancel': failingDelivery,
  'POST /api/sys/deliveries/{id}/retry': async (demo, data) => {
    const { params } = await failingDelivery(demo, data)
    await data('POST', `/api/sys/deliveries/${params?.id}/cancel`)
    return { params }
  },
  'POST /api/e/{model}/import-file': async (_demo, data) => ({
    body: { path: await clientsFile(data), dry_run: true },
  }),
  'GET /api/e/{model}/import-file/preview': async (_demo, data) => ({ query: { path: await clientsFile(data) } }),
  'GET /api/sys/batches': batch,
  'GET /api/sys/batches/{id}': batch,
  'POST /api/sys/batches/{id}/undo': batch,
  // Batches have a job as well, for as long as they run.
  'GET /api/sys/jobs/{id}': async (_demo, data) => ({
    params: { id: (await data('GET', '/api/sys/jobs?kind=deliveries'))[0].id },
  }),
  'POST /api/e/{model}/{id}/forward': async (_demo, data) => {
    const all: { id: number; records: { model: string; id: number }[] }[] = await data(
      'GET',
      '/api/sys/incoming_messages',
    )
    const made = all.find(({ records }) => records[0]?.model === 'requests')
    const subject = 'Fwd: Printer on floor 2 is jammed'
    const text = { subject, body: 'Can you have a look at this?' }
    const body = { to: 'service@printers.example', ...text, message_ids: [made?.id] }
    return { params: { id: made?.records[0]?.id ?? 0 }, body }
  },
  'POST /api/e/{model}/{id}/macros/{macro_id}': async (_demo, data) => {
    return { params: { id: await request(data, 'Printer on floor 2 is jammed') } }
  },
  'POST /api/e/{model}/{id}/unmerge': async (_demo, data) => {
    const [id, into] = [await request(data, 'Toner is empty'), await request(data, 'No toner on floor 2')]
    await data('POST', `/api/e/requests/${id}/merge`, { into })
    return { params: { id } }
  },
  'POST /api/e/{model}/{id}/split': async (_demo, data) => {
    const id = await request(data, 'Printer is jammed')
    const comment = await data('POST', `/api/e/requests/${id}/comments`, { body: 'And the toner is empty.' })
    return { params: { id }, body: { comment_ids: [comment.id], data: { title: 'Toner for the printer on floor 2' } } }
  },
  'GET /api/e/{model}/{id}/presence': async (_demo, data) => {
    const id = await request(data, 'Somebody looks at it')
    await data('PUT', `/api/e/requests/${id}/presence`, { is_editing: true })
    return { params: { id } }
  },
  'GET /api/sys/snoozed': async (_demo, data) => {
    const id = await request(data, 'Replace the printer')
    await data('PUT', `/api/e/requests/${id}/snooze`, { until: '2036-11-23T08:00:00Z' })
    return {}
  },
  'GET /api/portal/requests': portalRequest,
  'GET /api/portal/requests/{id}': portalRequest,
  'POST /api/portal/requests/{id}/comments': portalRequest,
  'POST /api/portal/requests/{id}/reopen': closedRequest,
  'POST /api/portal/requests/{id}/rating': closedRequest,
  'POST /api/portal/requests/{id}/watchers': async (demo, data) => ({
    ...(await portalRequest(demo, data)),
    body: { user_ids: [await person(data)] },
  }),
  'DELETE /api/portal/requests/{id}/watchers/{user_id}': async (_demo, data) => {
    const [{ id }, user_id] = [await sent(data), await person(data)]
    await data('POST', `/api/portal/requests/${id}/watchers`, { user_ids: [user_id] })
    return { params: { id, user_id } }
  },
  'POST /api/sys/incoming_messages/{id}/dismiss': async (_demo, data) => ({ params: { id: await printerJam(data) } }),
  'POST /api/sys/incoming_messages/{id}/reopen': async (_demo, data) => ({ params: { id: await printerJam(data) } }),
  'POST /api/portal/approvals/{id}/comments': async (_demo, data) => ({ params: { id: await approval(data) } }),
  'GET /api/portal/requests/{id}/files': async (_demo, data) => {
    const file = { name: 'offer.png', content_type: 'image/png', size: sample.png.length }
    const { path, upload } = await data('POST', '/api/files', file)
    await fetch(upload.url, { method: upload.method, headers: upload.headers, body: sample.png })
    const sending = { item_id: 1, data: { title: 'With an offer' }, files: [path] }
    return { params: { id: (await data('POST', '/api/portal/requests', sending)).id }, query: { path } }
  },
  'GET /api/sys/incidents': incident,
  'POST /api/sys/process-instances/{id}/retry': incident,
  // Instances of the demo have their ids in no certain order, and wait at different tasks.
  'GET /api/sys/process-instances/{id}': operatedInstance,
  'GET /api/sys/process-instances/{id}/diagram.svg': operatedInstance,
  'POST /api/sys/process-instances/{id}/cancel': operatedInstance,
  'POST /api/sys/process-instances/{id}/migrate': secondVersion,
  'POST /api/sys/process-instances/{id}/variables': operatedInstance,
  'POST /api/sys/process-instances/{id}/modify': operatedInstance,
  'POST /api/sys/process-instances/{id}/suspend': operatedInstance,
  // Tasks of the demo have their ids in no certain order, and one is completed.
  'GET /api/sys/process-tasks/{id}': ownTask(),
  'POST /api/sys/process-tasks/{id}/claim': ownTask(),
  'POST /api/sys/process-tasks/{id}/complete': ownTask(true),
  'POST /api/sys/process-tasks/{id}/unclaim': ownTask(true),
  'POST /api/sys/process-tasks/{id}/reassign': ownTask(),
  'POST /api/sys/process-tasks/{id}/delegate': ownTask(),
  'PATCH /api/sys/process-tasks/{id}': ownTask(),
  'GET /api/sys/process-templates/{id}/figures': figuredTemplate,
  'DELETE /api/sys/process-templates/{id}': endedTemplate,
  'POST /api/sys/process-instances/{id}/resume': suspendedInstance,
  'POST /api/sys/process-instances/{id}/activities': onboarding,
  'DELETE /api/sys/api-keys/{id}': async (_demo, data) => ({
    params: { id: (await data('POST', '/api/sys/api-keys', { name: 'To delete', roles: ['agent'] })).id },
  }),
  'POST /api/in/{token}': async (_demo, data) => {
    const { token } = await data('POST', '/api/sys/inbound-sources', { name: 'Thermometer' })
    return { params: { token }, body: { temperature: 40 } }
  },
}

/** Examples that need a server that the demo does not have. The stories run these routes against one. */
export const elsewhere: Readonly<Record<string, string>> = {
  'POST /api/login-sso': 'sign-in/login-sso',
  'POST /api/e/{model}/{id}/deliveries/{delivery_id}/retry': 'timeline/conversation',
  'GET /api/auth/{provider}/redirect': 'sign-in/oauth',
  'GET /api/auth/{provider}/callback': 'sign-in/oauth',
  'POST /api/auth/exchange': 'sign-in/oauth',
  'GET /api/session': 'sign-in/browser-session',
  'DELETE /api/session': 'sign-in/browser-session',
  'POST /api/password/reset': 'sign-in/password-reset',
  'POST /api/email/verify': 'sign-in/email-verification',
  'POST /api/login-mfa': 'sign-in/second-factor',
  'POST /api/user/mfa/confirm': 'sign-in/second-factor',
  'DELETE /api/user/mfa': 'sign-in/second-factor',
  'POST /api/settings/messenger/set-webhook': 'incoming/set-webhook',
  'POST /api/messenger/webhook': 'incoming/messenger',
  'GET /api/follow/{token}': 'mail/follow',
  'GET /api/decide/{token}': 'notifications/mailed-decisions',
  'POST /api/decide/{token}': 'notifications/mailed-decisions',
  'GET /api/unsubscribe/{token}': 'notifications/unsubscribe',
  'POST /api/unsubscribe/{token}': 'notifications/unsubscribe',
  'DELETE /api/unsubscribe/{token}': 'notifications/unsubscribe',
  'GET /api/files/sent/{token}': 'mail/reply-files',
  'GET /api/sys/mailboxes': 'mail/mailboxes',
  'GET /api/sys/mailboxes/{id}': 'mail/mailboxes',
  'GET /api/sys/mailboxes/{id}/health': 'mail/mailboxes',
  'POST /api/sys/mailboxes/{id}/test': 'mail/mailboxes',
  'POST /api/sys/mailboxes/{id}/fetch': 'mail/mailboxes',
  'POST /api/sys/mailboxes/{id}/authorize': 'mail/mailbox-sign-in',
  'GET /api/sys/mailboxes/callback': 'mail/mailbox-sign-in',
  'POST /api/sys/settings/test-email': 'notifications/mails',
  'POST /api/sys/settings/fetch-imap': 'incoming/mailbox',
  'POST /api/sys/settings/test-imap': 'incoming/mailbox',
}
