/** The tables, process and records of the demo: a small service desk. */

import { requestApproval } from './demo-process.ts'

/** Sends a request as the administrator and returns `data` of the response. */
export type DemoApi = (method: string, path: string, body: object) => Promise<any>

const clients = {
  name: 'clients',
  label: 'Clients',
  title_field: 'name',
  table_fields: [
    { name: 'name', label: 'Name', type: 'text', required: true, max_length: 200, indexed: true },
    { name: 'email', label: 'E-mail', type: 'email', unique: true, indexed: true },
    { name: 'phone', label: 'Phone', type: 'text', max_length: 50 },
    { name: 'company_id', label: 'Company', type: 'company' },
    { name: 'location', label: 'Location', type: 'point' },
  ],
}

const requests = {
  name: 'requests',
  label: 'Requests',
  title_field: 'title',
  table_fields: [
    { name: 'title', label: 'Title', type: 'text', required: true, searchable: true, max_length: 200 },
    { name: 'description', label: 'Description', type: 'textarea', searchable: true },
    { name: 'priority', label: 'Priority', type: 'integer', default: 3, min: 1, max: 5 },
    {
      name: 'status',
      label: 'Status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', color: '#1677ff', is_initial: true },
        { slug: 'in_progress', label: 'In progress', color: '#fa8c16' },
        { slug: 'resolved', label: 'Resolved', color: '#52c41a' },
        { slug: 'closed', label: 'Closed', color: '#8c8c8c', is_final: true },
      ],
      transitions: [
        { from: 'new', to: 'in_progress' },
        { from: 'in_progress', to: 'resolved' },
        { from: 'resolved', to: 'in_progress' },
        { from: 'resolved', to: 'closed' },
        { from: 'closed', to: 'in_progress', roles: ['agent'] },
        { from: 'new', to: 'closed', roles: ['agent'] },
      ],
    },
    { name: 'client_id', label: 'Client', type: 'model_list', target_table: 'clients', on_delete: 'set_null' },
    { name: 'assigned_to', label: 'Assigned to', type: 'user' },
  ],
}

/** An after hook: sends a push notification when the status of a request changes. */
const tellOfProgress = {
  kind: 'after_update',
  name: 'tell of progress',
  script:
    "if ($data.status !== $old.status) $api.sendPushNotification('Request ' + $data.status, $data.title, [$user.id])",
}

/** Handles requests. The password is known, as everything of the demo is: it works on this machine only. */
const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'brass gears 1843',
  roles: ['agent'],
  locale: 'en',
}

/** Whom the demo's mails come from, and where answers to them arrive: a mailbox of this machine. */
const supportAddress = 'support@demo.example'

/** Mails stay on this machine: the outbox shows them. */
const supportMail = {
  name: 'Support mail',
  type: 'email',
  is_default: true,
  config: { transport: 'local', from_address: supportAddress, from_name: 'Demo support' },
}

/** What the outbox page writes to the address arrives here. Any password is right. */
const supportMailbox = { IMAP_HOST: 'local', IMAP_USERNAME: supportAddress, IMAP_PASSWORD: 'any' }

/** Clients follow their requests by the link in their mails. */
const followed = { FOLLOW_TABLES: 'requests' }

const requestStream = {
  name: 'Request stream',
  type: 'stream',
  is_default: true,
  config: { provider: 'kinesis', stream_name: 'requests' },
}

const newRequests = {
  model: 'requests',
  name: 'New requests',
  scope: 'shared',
  columns: ['title', 'priority', 'client_id.name'],
  filter: { status: 'new' },
}
const requestsToStream = { name: 'Requests to the stream', table: 'requests', events: ['create', 'update'] }

const monitoring = {
  name: 'Monitoring',
  hmac: { scheme: 'header', header: 'x-hub-signature-256', prefix: 'sha256=', secret: 'a-long-shared-secret' },
}

const flickering = {
  from_name: 'Ann Carter',
  from_email: 'ann@northwind.example',
  subject: 'My monitor flickers',
  body: 'It began this morning.',
  payload: { priority: '2' },
}

/** A mail in two languages: the recipient's decides. */
const requestCreated = {
  code: 'request_created',
  name: 'Request created',
  subject: 'Request {{request.id}}: {{request.title}}',
  body: '<p>Hello {{client.name}},</p>\n<p>we have received your request <b>{{request.title}}</b> and will answer soon.</p>\n<p><a href="{{follow_url}}">Follow your request</a></p>',
  translations: {
    de: {
      subject: 'Anfrage {{request.id}}: {{request.title}}',
      body: '<p>Guten Tag {{client.name}},</p>\n<p>wir haben Ihre Anfrage <b>{{request.title}}</b> erhalten und antworten bald.</p>\n<p><a href="{{follow_url}}">Anfrage verfolgen</a></p>',
    },
  },
}

/** Texts that agents answer with; the composer fills them with what the request says. */
const replyTexts = [
  {
    code: 'reply_need_more',
    name: 'Need more to go on',
    subject: 'Re: {{record.title}}',
    body: '<p>Hello {{requester.name}},</p>\n<p>what did you do when it happened, and what did the screen say? A picture helps.</p>',
    translations: {
      de: {
        subject: 'Re: {{record.title}}',
        body: '<p>Guten Tag {{requester.name}},</p>\n<p>was haben Sie getan, als es geschah, und was stand auf dem Bildschirm? Ein Bild hilft.</p>',
      },
    },
  },
  {
    code: 'reply_solved',
    name: 'Solved, please try',
    subject: 'Re: {{record.title}}',
    body: '<p>Hello {{requester.name}},</p>\n<p>request {{record.id}}, <b>{{record.title}}</b>, is solved. Please try it, and answer this mail if anything is left.</p>',
  },
]

/** Makes a request of every message, for the client with the sender's address. */
const messageToRequest = {
  name: 'Message to request',
  channel: 'all',
  is_automatic: true,
  target_model: 'requests',
  field_mapping: { title: 'subject', description: 'body', priority: 'payload.priority' },
  script: `if (!$data->title) $data->title = 'Message of ' + ($incoming->from_name || 'somebody')
$client = $incoming->from_email && $api->find('clients', 'email', $incoming->from_email)
if ($client) $data->client_id = $client->id`,
  reopen: { state: 'in_progress', from: ['resolved'], within_days: 14 },
  send_comments: true,
}

/** A button: makes a client of whoever sent a message. */
const senderToClient = {
  name: 'Sender to client',
  channel: 'all',
  target_model: 'clients',
  field_mapping: { name: 'from_name', email: 'from_email' },
  button_label: 'Add as client',
  button_color: '#1677ff',
}

/** The tables of the demo, as the front page lists them. */
export const demoTableHeads = [clients, requests].map(({ name, label }) => ({ name, label }))

/** Creates tables, a role and a relation. Returns the relation between requests. */
export async function demoTables(api: DemoApi): Promise<{ id: number }> {
  // A transition names the role, and the role's permissions name the tables.
  const agent = await api('POST', '/api/sys/roles', { name: 'agent' })
  await api('POST', '/api/sys/entities', clients)
  await api('POST', '/api/sys/entities', requests)
  const permissions = ['requests.*', 'clients.*', 'sys_companies.read', 'sys_articles.*', 'incoming_messages.*']
  await api('PUT', `/api/sys/roles/${agent.id}`, { permissions })
  return api('POST', '/api/sys/relations', { name: 'Related requests', l_table: 'requests', r_table: 'requests' })
}

/** Creates the mail that tells a client of a new request. */
export async function demoTemplates(api: DemoApi): Promise<void> {
  await api('POST', '/api/sys/notification_templates', requestCreated)
}

/** Creates the texts that agents answer with. */
export async function demoReplyTexts(api: DemoApi): Promise<void> {
  for (const text of replyTexts) await api('POST', '/api/sys/notification_templates', text)
}

/** Creates the approval process. Its tasks complete when they are completed, or when a field of the record changes. */
export async function demoProcess(api: DemoApi): Promise<void> {
  await api('PUT', '/api/sys/entities/name/requests', { name: 'requests', automations: [tellOfProgress] })
  await api('POST', '/api/sys/process-templates', {
    code: 'request_approval',
    name: 'Request approval',
    table: 'requests',
    is_auto_start: true,
    bpmn_xml: requestApproval,
  })
}

/** Creates an agent, whom requests can be assigned to, and a unit that a group of an identity provider belongs to. */
export async function demoPeople(api: DemoApi): Promise<void> {
  await api('POST', '/api/sys/users', ada)
  const unit = await api('POST', '/api/e/sys_org_units', { name: 'IT support' })
  await api('POST', '/api/sys/auth-mappings', { group: 'it-support', org_unit_id: unit.id, roles: ['agent'] })
}

/** What agents do to a request that they take care of. */
const takeOver = {
  name: 'Take over',
  model: 'requests',
  set: { priority: 4 },
  comment: { body: 'I take care of this.', is_internal: true },
  next: true,
}

/** What agents insert into answers by `::`. */
const askForPicture = {
  name: 'Ask for a picture',
  body: 'Hello {{requester.name}},\n\ncould you send us a picture of it?\n\n{{me.name}}',
  model: 'requests',
}

/** What people ask for in the portal. They see less of it than agents. */
const portalItems = [
  {
    name: 'A laptop',
    description: 'For new colleagues, or when yours is too old.',
    category: 'Hardware',
    icon: 'laptop',
    model: 'requests',
    fields: ['title', 'description'],
    defaults: { priority: 2 },
    public_states: { in_progress: 'We are on it', resolved: 'Solved' },
    reopen_state: 'in_progress',
    position: 1,
  },
  {
    name: 'Something does not work',
    description: 'Printers, screens, the network: say what happens, and since when.',
    category: 'Help',
    icon: 'wrench',
    model: 'requests',
    fields: ['title', 'description', 'priority'],
    public_states: { in_progress: 'We are on it', resolved: 'Solved' },
    reopen_state: 'in_progress',
    position: 2,
  },
]

const articles = [
  {
    title: 'The printer is jammed',
    category: 'Hardware',
    body: 'Open tray 2 and pull the paper out, slowly. Close it until it clicks, and switch the printer off and on.',
    state: 'published',
  },
  {
    title: 'The VPN asks for a password again and again',
    category: 'Network',
    body: 'Your password has run out. Change it in the office network, wait two minutes, and sign in anew.',
    state: 'published',
  },
  { title: 'New screens in autumn', category: 'Hardware', body: 'To be announced.', state: 'draft' },
]

const clientList = {
  name: 'Client list',
  model: 'clients',
  mapping: { 'Customer no.': 'id', Name: 'name', 'E-Mail': 'email' },
  mode: 'upsert',
  key: 'id',
}

/** Creates items and articles of the portal. */
export async function demoPortal(api: DemoApi): Promise<void> {
  for (const item of portalItems) await api('POST', '/api/sys/portal/items', item)
  for (const article of articles) await api('POST', '/api/e/sys_articles', article)
}

/** How soon a request is answered, which processes and people ask by its priority. */
const responseTime = {
  code: 'response_time',
  name: 'Response time',
  dmn_xml: `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="response_time_definitions" name="Response time" namespace="urn:entity-workflow:decisions">
  <decision id="response_time" name="Response time">
    <decisionTable hitPolicy="UNIQUE">
      <input label="Priority"><inputExpression typeRef="integer"><text>priority</text></inputExpression></input>
      <output name="hours" typeRef="number" />
      <output name="escalate" typeRef="boolean" />
      <rule id="urgent"><inputEntry><text>&gt;= 4</text></inputEntry><outputEntry><text>4</text></outputEntry><outputEntry><text>true</text></outputEntry></rule>
      <rule id="usual"><inputEntry><text>[2..3]</text></inputEntry><outputEntry><text>24</text></outputEntry><outputEntry><text>false</text></outputEntry></rule>
      <rule id="low"><inputEntry><text>&lt; 2</text></inputEntry><outputEntry><text>72</text></outputEntry><outputEntry><text>false</text></outputEntry></rule>
    </decisionTable>
  </decision>
</definitions>
`,
}

/** Sends mails, and every new and changed request to a stream, all of which the outbox shows; lets a monitoring send messages in. */
export async function demoChannels(api: DemoApi): Promise<void> {
  const stream = await api('POST', '/api/sys/channels', requestStream)
  await api('POST', '/api/sys/subscriptions', { ...requestsToStream, channel_id: stream.id })
  await api('POST', '/api/sys/views', newRequests)
  await api('POST', '/api/sys/macros', takeOver)
  await api('POST', '/api/sys/snippets', askForPicture)
  await api('POST', '/api/sys/decisions', responseTime)
  await api('POST', '/api/sys/import-mappings', clientList)
  await api('POST', '/api/sys/inbound-sources', monitoring)
  await api('POST', '/api/sys/channels', supportMail)
  await api('PUT', '/api/sys/settings', { ...supportMailbox, ...followed })
}

/** Writes a comment on the first request, and receives a message, of which a rule makes a request. */
export async function demoConversation(api: DemoApi): Promise<void> {
  await api('POST', '/api/e/requests/1/comments', { body: '@[2] the spare part arrives on Monday.' })
  await api('POST', '/api/sys/incoming_messages', flickering)
}

/** Creates the rules for messages: one that runs by itself, and a button. */
export async function demoRules(api: DemoApi): Promise<void> {
  await api('POST', '/api/sys/incoming-actions', messageToRequest)
  await api('POST', '/api/sys/incoming-actions', senderToClient)
}

export async function demoRecords(api: DemoApi, related: { readonly id: number }): Promise<void> {
  const company = await api('POST', '/api/e/sys_companies', { name: 'Northwind Traders' })
  const ann = await api('POST', '/api/e/clients', {
    name: 'Ann Carter',
    email: 'ann@northwind.example',
    company_id: company.id,
  })
  const ben = await api('POST', '/api/e/clients', {
    name: 'Ben Okafor',
    email: 'ben@northwind.example',
    company_id: company.id,
  })
  await api('POST', '/api/e/requests', {
    title: 'Printer on floor 2 is jammed',
    description: 'Paper tray 2.',
    client_id: ann.id,
  })
  const vpn = await api('POST', '/api/e/requests', { title: 'VPN drops every hour', priority: 4, client_id: ben.id })
  await api('PATCH', `/api/e/requests/${vpn.id}`, { status: 'in_progress', priority: 5 })
  const laptop = await api('POST', '/api/e/requests', {
    title: 'New laptop for a starter',
    priority: 2,
    client_id: ann.id,
  })
  await api('POST', `/api/sys/add_related_instances/${related.id}/l_table/${laptop.id}`, { ids: [vpn.id] })
}
