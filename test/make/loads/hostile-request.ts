import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { tenantWord, type Victim } from '../builders/victim.ts'
import type { RouteMembers } from './route-members.ts'

/*
 * For every name that a request may contain: the value of the victim that it would refer to, or that it refers to
 * nothing. A route with a name that is not listed here fails its test until it is added.
 */

type Values = Readonly<Record<string, unknown>>

/** Values for names in a path. What `id` refers to depends on the path. */
export function inPath(path: string, victim: Victim): Values {
  const ofAddress: [string, number][] = [
    ['/api/user/sessions', victim.session],
    ['/api/tenant/invitations', victim.invitation],
    ['/api/sys/users', victim.user],
    ['/api/sys/roles', victim.role],
    ['/api/sys/auth-mappings', victim.mapping],
    ['/api/sys/api-keys', victim.apiKey],
    ['/api/sys/relations', victim.relation],
    ['/api/sys/batches', victim.batch],
    ['/api/sys/jobs', victim.job],
    ['/api/sys/process-templates', victim.template],
    ['/api/sys/process-instances', victim.instance],
    ['/api/sys/process-tasks', victim.task],
    ['/api/sys/channels', victim.channel],
    ['/api/sys/notification_templates', victim.notificationTemplate],
    ['/api/sys/deliveries', victim.delivery],
    ['/api/sys/incoming_messages', victim.message],
    ['/api/sys/inbound-sources', victim.source],
    ['/api/sys/incoming-actions', victim.rule],
    ['/api/notifications', victim.notification],
    ['/api/sys/subscriptions', victim.subscription],
    ['/api/sys/views', victim.view],
    ['/api/sys/macros', victim.macro],
    ['/api/sys/snippets', victim.snippet],
    ['/api/sys/mailboxes', victim.mailbox],
    ['/api/sys/decisions', victim.decision],
    ['/api/sys/import-mappings', victim.importMapping],
    ['/api/sys/portal/items', victim.portalItem],
    ['/api/portal/items', victim.portalItem],
    ['/api/portal/articles', victim.article],
    ['/api/portal/requests', victim.portalRequest],
    ['/api/portal/approvals', victim.task],
    ['/api/', victim.record],
  ]
  const [, id] = ofAddress.find(([start]) => path.startsWith(start)) as [string, number]
  return {
    id,
    model: 'requests',
    relation_id: victim.relation,
    table_name: 'requests',
    table_position: 'l_table',
    instance_id: victim.record,
    right_id: victim.record,
    sys_table_id: victim.table,
    user_id: victim.user,
    comment_id: victim.comment,
    action_id: victim.rule,
    macro_id: victim.macro,
    snippet_id: victim.snippet,
    template_id: victim.notificationTemplate,
    delivery_id: victim.delivery,
  }
}

const referring = (victim: Victim): Values => ({
  title: 'taken over',
  client_id: victim.client,
  owner_id: victim.user,
  photo: victim.file,
})

/** Values for names in a query. Answers repeat them in `links`, so they contain no secrets. */
export const inQuery = (victim: Victim): Values => ({
  id: victim.record,
  cursor: victim.cursor,
  since: victim.cursor,
  file: victim.file,
  filter: JSON.stringify({
    _or: [{ client_id: victim.client }, { id: victim.record }, { 'client_id.name': { _contains: 'quartz' } }],
  }),
  expand: 'client_id,owner_id',
  kinds: 'change,comment,message,delivery,process,script',
  search: 'quartz',
  q: 'quartz',
  text: 'quartz',
  view: victim.view,
  user_id: victim.user,
  model: 'requests',
  path: victim.file,
  automation_id: 1,
  as_of: victim.moment,
  template_id: victim.template,
  record_id: victim.record,
  ids: `${victim.user}`,
  role: victim.roleName,
  channel_id: victim.channel,
  saved_mapping: victim.importMapping,
})

/** Values for top-level names in a body. */
export const inBody = (victim: Victim): Values => ({
  id: victim.record,
  ids: [victim.client, victim.record],
  model: 'requests',
  data: referring(victim),
  old: referring(victim),
  rows: [referring(victim)],
  set: referring(victim),
  macro: victim.macro,
  saved_mapping: victim.importMapping,
  assign: victim.user,
  assignee: victim.user,
  substitute_id: victim.user,
  company_id: victim.client,
  org_unit_ids: [victim.client],
  org_unit_id: victim.client,
  group: 'it-support',
  file: victim.file,
  cursor: victim.cursor,
  since: victim.cursor,
  filter: { _or: [{ client_id: victim.client }, { id: victim.record }] },
  search: 'quartz',
  view: victim.view,
  expand: ['client_id', 'owner_id'],
  as_of: victim.moment,
  script: `$data.title = JSON.stringify([$api.find('requests', ${victim.record}), $api.query('requests', { search: 'quartz' })])`,
  roles: [victim.roleName],
  template_id: victim.template,
  template_code: `${tenantWord}_process`,
  record_id: victim.record,
  channel_id: victim.channel,
  mailbox_ids: [victim.mailbox],
  users: [victim.user],
  user_ids: [victim.user],
  attachments: [victim.file],
  files: [victim.file],
  item_id: victim.portalItem,
  defaults: referring(victim),
  message_id: victim.message,
  message_ids: [victim.message],
  comment_ids: [victim.message],
  into: victim.record,
  conversation: victim.record,
  variables: referring(victim),
  correlation_key: victim.record,
  tenant: 'acme',
})

/** Routes whose bodies take any member. */
const anyMembers: readonly string[] = [
  'POST /api/e/{model}',
  'PUT /api/e/{model}/{id}',
  'PATCH /api/e/{model}/{id}',
  'POST /api/sys/decisions/{id}/evaluate',
]

/** Names whose values refer to nothing. Names of tables and relations always refer to the caller's own. */
const harmless = new Set(
  `path page per_page sort fields explain format dry_run coerce skip_notifications limit position action from to status kind expires_at mfa_required mfa_enabled code name label description title_field version is_system is_active locale digest quiet time_zone email password password_confirmation
  current_password permissions content_type size aggregate count sum avg min max first last group_by labels layout inRangeInclusive startRow endRow filterModel sortModel colId rowGroupCols field aggFunc displayName valueCols groupKeys pivotCols pivotMode
  dmn_xml inputs decisions
  delete expect transition send next macros snippets ttl remove move cancel
  category icon state_field public_states public_fields reopen_state portal_items import_mappings stars emails state helpful PORTAL_AGENT_NAMES ACCENT_COLOR
  table_fields type required unique indexed searchable default max_length options slug color states is_initial is_final transitions target_table on_delete multiple automations position script tables relations
  created_at updated_at l_table r_table rebuilding mine table code bpmn_xml warnings findings is_auto_start outcome processes rules
  TIMEZONE DEFAULT_ROLE MAIL_MAILER MAIL_HOST MAIL_PORT MAIL_USERNAME MAIL_PASSWORD MAIL_ENCRYPTION MAIL_FROM_ADDRESS MAIL_FROM_NAME MAIL_ANSWERS_PER_HOUR MAIL_SUBJECT_NUMBER MAIL_SIGNATURE FOLLOW_TABLES IMAP_HOST IMAP_PORT IMAP_USERNAME IMAP_PASSWORD IMAP_ENCRYPTION IMAP_MAILBOX IMAP_AUTH IMAP_OAUTH_TOKEN_URL IMAP_OAUTH_CLIENT_ID IMAP_OAUTH_CLIENT_SECRET IMAP_OAUTH_REFRESH_TOKEN IMAP_OAUTH_SCOPE IMAP_AUTHSERV_ID
  MESSENGER_BOT_TOKEN SSO_ISSUER SSO_AUDIENCE SSO_JWKS_URL SSO_GROUPS_CLAIM OAUTH_GOOGLE_ISSUER OAUTH_GOOGLE_CLIENT_ID OAUTH_GOOGLE_CLIENT_SECRET OAUTH_MICROSOFT_ISSUER OAUTH_MICROSOFT_CLIENT_ID
  OAUTH_MICROSOFT_CLIENT_SECRET
  SSO_CLIENT_SECRET cc
  direction is_default is_enabled config channels subject body translations params templates
  unread notifications system message subscription bell messenger events problem template subscriptions channel
  is_internal mention comment is_processed from_name from_email from_id payload is_active hmac scheme secret header algorithm encoding prefix
  schemes default_country formula result of scale digits start required_if readonly_if visible_if pattern regex min_length case_insensitive required_fields
  new_token is_automatic target_model field_mapping process_message is_instead_of_record button_label button_color condition on_reply reopen within_days address aliases incoming values signature protocol host port encryption folder auth username provider flow client_id client_secret issuer send_comments incoming_actions
  is_editing columns scope owner views having top element_id execution_id until due_at renamed_from mode key legacy is_legacy mapping sheet next_start_at reason theme`.split(
    /\s+/,
  ),
)

/** The names of a route that are not listed here. */
export function unclassifiedNames(
  key: string,
  { path, query, body, inBody: deep }: RouteMembers,
  victim: Victim,
): string[] {
  const [, address = ''] = key.split(' ')
  const known = (name: string, values: Values) => Object.hasOwn(values, name) || harmless.has(name)
  return [
    ...path.filter((name) => !Object.hasOwn(inPath(address, victim), name)).map((name) => `path ${name}`),
    ...query.filter((name) => !known(name, inQuery(victim))).map((name) => `query ${name}`),
    ...(body === undefined && !anyMembers.includes(key) ? ['the body takes any member'] : []),
    ...deep.filter((name) => !known(name, inBody(victim))).map((name) => `body ${name}`),
  ]
}

/** The request of a route with everything of the victim that it can refer to. `own`: other values for the path. */
export function hostileRequest(
  route: Route,
  { path, query, body }: RouteMembers,
  victim: Victim,
  own?: Values,
): { readonly path: string; readonly body: unknown } {
  const values = { ...inPath(route.path, victim), ...own }
  const address = path.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(values[name]))),
    route.path as string,
  )
  const asked = Object.entries(inQuery(victim)).filter(([name]) => query.includes(name))
  const text = asked.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  const said = Object.entries(inBody(victim)).filter(([name]) => body?.includes(name))
  const given =
    body === undefined ? referring(victim) : { ...(route.example?.body as object), ...Object.fromEntries(said) }
  return { path: `${address}${text && '?'}${text}`, body: route.body && given }
}
