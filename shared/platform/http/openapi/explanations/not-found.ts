import type { Explanations } from './explanation.ts'

/** Failures that are about what does not exist, or is hidden. */
export const notFoundFailures = {
  auth_mapping_not_found: {
    meaning: 'No mapping of a group has this id.',
    remedy: 'List the mappings with `GET /api/sys/auth-mappings`.',
  },
  api_key_not_found: {
    meaning: 'No API key has this id, or it was ended.',
    remedy: 'List the keys with `GET /api/sys/api-keys`.',
  },
  channel_not_found: {
    meaning: 'No channel has this id.',
    remedy: 'List the channels with `GET /api/sys/channels`.',
  },
  delivery_not_found: {
    meaning: 'No delivery has this id. Deliveries are kept for 90 days.',
    remedy: 'List the deliveries with `GET /api/sys/deliveries`.',
  },
  batch_not_found: {
    meaning: 'There is no batch with this id, it is older than 90 days, or somebody else started it.',
    remedy: 'Take the id from `GET /api/sys/batches`.',
  },
  comment_not_found: {
    meaning:
      'The record has no comment with this id, or it is internal and you lack the permission `<table>.comment_internal`.',
    remedy: 'List the comments of the record again.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but not with this method; `Allow` lists the methods that it has.',
    remedy: 'Compare the method with the reference.',
  },
  endpoint_not_found: {
    meaning: 'No endpoint has this method and path, or an id in the path is not a positive integer.',
    remedy: 'Compare the method and the path with the reference.',
  },
  file_not_found: {
    meaning: 'No file has this path, or you may not read any record that holds it.',
    remedy: 'Read the record again and use the path that it holds.',
  },
  inbound_source_not_found: {
    meaning: 'No inbound source has this id.',
    remedy: 'List the sources with `GET /api/sys/inbound-sources`.',
  },
  incoming_action_not_found: {
    meaning: 'No rule for incoming messages has this id, or you may not use it.',
    remedy: 'List the rules that you may use with `GET /api/sys/incoming-actions`.',
  },
  incoming_message_not_found: {
    meaning:
      'No incoming message has this id, or somebody else sent it: without the permission `incoming_messages.read` people see only what they sent themselves.',
    remedy: 'List the messages with `GET /api/sys/incoming_messages`.',
  },
  invitation_not_found: {
    meaning: 'The invitation is unknown, expired, or was already accepted.',
    remedy: 'Ask for a new invitation.',
  },
  import_mapping_not_found: {
    meaning: 'No import mapping has this id, or it is of a table that you may not import into, or names hidden fields.',
    remedy: 'List the mappings that you may use with `GET /api/sys/import-mappings`.',
  },
  portal_item_not_found: {
    meaning: 'No item of the portal has this id, it is switched off, or it is not for you.',
    remedy: 'List the items that you may send with `GET /api/portal/items`.',
  },
  portal_request_not_found: {
    meaning: 'You sent no request with this id and were not added to it, or its record was deleted.',
    remedy: 'List your requests with `GET /api/portal/requests`.',
  },
  article_not_found: {
    meaning: 'No published article that is for you has this id.',
    remedy: 'List the articles with `GET /api/portal/articles`.',
  },
  job_not_found: {
    meaning: 'No job has this id, or another user started it.',
    remedy: 'Use the `job_id` of the 202 answer.',
  },
  notification_template_not_found: {
    meaning: 'No notification template has this id.',
    remedy: 'List the templates with `GET /api/sys/notification_templates`.',
  },
  notification_not_found: {
    meaning: 'You have no notification with this id. Notifications are kept for 90 days.',
    remedy: 'List your notifications with `GET /api/notifications`.',
  },
  process_instance_not_found: {
    meaning: 'No process instance has this id, or you may not read its record.',
    remedy: 'List instances with `GET /api/sys/process-instances`.',
  },
  process_template_not_found: {
    meaning: 'No process template has this id.',
    remedy: 'List the templates with `GET /api/sys/process-templates`.',
  },
  provider_not_found: {
    meaning: 'People sign in with `google` and `microsoft`, and with no other provider by this name.',
    remedy: 'Use one of these, or a token of your identity provider at `POST /api/login-sso`.',
  },
  record_not_found: {
    meaning: 'The table has no record with this id, or you may not read it.',
    remedy: 'Stop using the id if the record was deleted: ids are never reused.',
  },
  relation_not_found: {
    meaning: 'No relation has this id, or the table in the path is not part of it.',
    remedy: 'List the relations of the table with `GET /api/sys/relations/all/{sys_table_id}`.',
  },
  role_not_found: { meaning: 'No role has this id.', remedy: 'List the roles with `GET /api/sys/roles`.' },
  session_not_found: {
    meaning: 'You have no session with this id, or it has ended.',
    remedy: 'List your sessions with `GET /api/user/sessions`.',
  },
  subscription_not_found: {
    meaning: 'No subscription has this id.',
    remedy: 'List the subscriptions with `GET /api/sys/subscriptions`.',
  },
  table_not_found: {
    meaning: 'No table has this name or id.',
    remedy: 'List the tables with `GET /api/sys/entities`.',
  },
  decision_not_found: {
    meaning: 'No decision has this code or id, or it has no such version.',
    remedy: 'List the decisions with `GET /api/sys/decisions`.',
  },
  macro_not_found: {
    meaning: 'No macro has this id, or you may not run it.',
    remedy: 'List the macros that you may run with `GET /api/sys/macros`.',
  },
  snippet_not_found: {
    meaning: 'No snippet has this id, it is for another table, or you may not insert it.',
    remedy: 'List the snippets that you may insert with `GET /api/sys/snippets`.',
  },
  view_not_found: {
    meaning: 'No view has this id, or it is a private one of somebody else, or shared with other roles.',
    remedy: 'List your views with `GET /api/sys/views`.',
  },
  task_not_found: {
    meaning: 'No task has this id, or you may not see it.',
    remedy: 'List your tasks with `GET /api/sys/process-tasks`.',
  },
  tenant_not_found: {
    meaning: 'No tenant has this name. Only commands of operators answer this code.',
    remedy: 'Check the spelling of the name.',
  },
  user_not_found: { meaning: 'No user has this id.', remedy: 'List the users with `GET /api/sys/users`.' },
} as const satisfies Explanations
