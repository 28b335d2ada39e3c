/**
 * What each room shows to others: the files that other rooms, endpoints and commands may import, beside its `schema.ts`.
 * All others are private to their room.
 */
export const publicFiles: Readonly<Record<string, ReadonlySet<string>>> = {
  'platform/configured-objects': names('active-since configured-object implement-object members only-default'),
  'platform/jobs': names('define-job find-jobs list-jobs run-job service'),
  'platform/listing': names('list-rows scan-ids'),
  'platform/settings': names('change-settings read-settings setting-values'),
  'platform/trail': names('configuration-event difference mask-events trail-event'),
  'tables/field-types': names('declaration patterns read-field'),
  'tables/files': names(`
    begin-upload check-files check-upload claim-rows claims describe-file file-row find-sent-file open-download
    own-file release-files     service store-file sweep-files
  `),
  'tables/formulas': names('service typed-values unary-tests'),
  'tables/org-units': names('org-tree tree'),
  'tables/record-types': names('typed-document'),
  'tables/tables': names(`
    administration/administer-tables administration/bind-consumers administration/find-uses
    administration/require-unused administration/save-table checks/check-rollups checks/check-table error-list
    plan-rebuild read-tables renames/plan-renames renames/preview-renames renames/rename-in-filter
    searched-fields system-tables table
  `),
  'lists/columns': names(`
    chunk column-values keeper/index-changes keeper/keeper keeper/kept-stamps predicate reader/create-columns
    reader/view revision row-of-record said-row scalar vector/codes vector/number-kernels vector/number-test
    vector/numbers vector/prefix vector/texts vector/vector
  `),
  'lists/query': names(`
    ag-grid/grid-request ag-grid/group-rows conditions/check-table-rules conditions/open-conditions
    conditions/table-as-seen grammar/field grammar/operators grammar/parse-query grammar/parse-selection
    grammar/resolve-field grammar/restrictions grammar/seen-paths grammar/variables parse-for
    read/read-page read/related read/row row-filter service
  `),
  'lists/search': names(
    'leaf/change-leaves leaf/cut-leaves leaf/word-changes said score-chunk tail-words terms words-of',
  ),
  scripts: names(`
    api/declare-types api/notification-intent api/notification-port api/record-access api/script-chain list-runs
    run-log runs-of-record source/check-source source/free-names source/member-writes source/script-warnings
    source/variable-uses
  `),
  accounts: names(`
    account-mail/account-mail account-mail/mail-account administration/administer-users
    administration/remove-own-rows invitations/accept-invitation invitations/administer-invitations
    invitations/invite-administrator keys/administer-api-keys keys/api-key people/create-tenant
    people/erase-user people/list-users people/lookup/find-people people/lookup/pick-people
    people/lookup/user-of-address people/membership/change-membership people/messenger-chat people/user
    roles/administer-roles roles/role sessions/authentication sessions/issue-token sessions/limit-requests
    sessions/own-sessions sign-in/impersonate sign-in/login sign-in/own-account
    sign-in/providers/groups/administer-auth-mappings sign-in/providers/oauth/begin-oauth
    sign-in/providers/oauth/describe-sign-in sign-in/providers/oauth/finish-oauth
    sign-in/providers/oauth/oauth-client sign-in/providers/oauth/oauth-provider
    sign-in/providers/oauth/sign-in-rows sign-in/providers/sso/log-in-sso sign-in/providers/sso/provider-claim
    sign-in/providers/sso/provider-keys sign-in/recovery/reset-password sign-in/recovery/verify-email
    sign-in/register sign-in/second-factor/log-in-mfa sign-in/second-factor/own-second-factor
    sign-in/second-factor/reset-second-factor sign-in/switch-tenant sign-in/unknown-tokens
    substitutes/find-substitutes tenants/find-tenant
  `),
  'accounts/access': names('check-limits check-permissions row-access'),
  'messages/bell': names('bell-row mark-read read-bell ring-bell tell-administrators'),
  'messages/channels': names(`
    administer-channels channel channel-document channel-type channel-types config/channel-secrets
    config/oauth-sign-in dependencies
    legacy-channel list-channels resolve-channel secret-name
  `),
  'messages/deliveries': names(`
    administer/change-many administer/deliveries-of-record administer/list-deliveries
    administer/operate-deliveries answers/answer-brake attempt/attempt-delivery attempt/channel-gate
    attempt/deliver-now attempt/describe-notice attempt/reply-words erase/erase-intent erase/intents-to expand/expand-held expand/expand-intent expand/recipient expand/write-intent find-due messages rows/about-record rows/delivery-row rows/intent-content sender
    state/delivery state/outcome state/pace threads/fail-bounced threads/find-delivery threads/thread-key wake
  `),
  'messages/inbound-sources': names('administer-sources receive-request'),
  'messages/incoming-messages': names(`
    archived-messages describe-message earliest-messages find-message hide-records list-messages mail-addresses
    mail-senders-of message messages-of-record new-text/forwarded-text new-text/new-text new-text/repeated-text read-contents receive/attach-files receive/receive-message receive/save-message receive/split-messages receive/store-message rows/content-row rows/message-row said-message waiting-messages
  `),
  'messages/mailbox': names(`
    dependencies fetch-now follow-settings imap/open-mailbox oauth/access-token oauth/begin-sign-in oauth/channel-token oauth/finish-sign-in pick-up-due poll-in-background
    read-health test-mailbox
  `),
  'messages/mailboxes': names('mailbox mailbox-settings mailboxes settings-mailbox'),
  'messages/messenger': names(`
    bot-api bot-name chat-bot incoming/change-bot-channel incoming/check-bot incoming/files-of-update
    incoming/prepare-message incoming/receive-update incoming/set-webhook link-chat
  `),
  'messages/notification-templates': names(`
    check-content list-templates notification-templates placeholders placeholders-by-code plain-text
    render-template template translation
  `),
  'messages/notifications': names('dispatch-to-channels gather-held message-of notice-mail notify-people'),
  'messages/preferences': names('categories change-preferences held-notices hold-rule preferences-row'),
  'messages/senders': names('email send-by-graph sender-context test-channel'),
  'records/changes': names('read-change-feed'),
  'records/comments': names(`
    commented-record dependencies describe-comments list-comments open-sent-file readers record-discussions
    requester-view rows/comment-row rows/discussion-row said-comment watchers/change-watchers watchers/end-notices watchers/watchers-of
    write/change-comment write/mentions write/split-comments write/store-comment write/write-comment
    write/write-received-comment
  `),
  'records/follow': names('describe-followed own-words'),
  'records/history': names(`
    describe-changes history-entry history-row last-state read-history read-history-rows read-trail state-at
    write-history
  `),
  'records/portal-requests': names('followers request-row'),
  'records/presence': names('presence'),
  'records/records': names(`
    actor count/repair-count delete/continue-removal due-work
    delete/look-again delete/remove-record delete/retention dependencies effects/record-effects
    form/create-record-forms hooks/dry-run-script hooks/hooked-operation hooks/run-hook
    hooks/script-records read/list-records read/listed-records read/merged-holders read/point-in-time-reads
    read/record-reads read/search-everywhere read/selected-record record-item record-writes
    rules/check-conditions rules/open-rules service write/change-record write/check-fields
    write/check-new-record write/check-references write/create-record write/existing-files write/keyed-request
    write/merge-writes write/note-restricting write/point-reference write/return-record write/save-record
    write/taken-values write/tree-writes write/unique-guards write/write-derived
  `),
  'records/relations': names(`
    administer-relations continue-relation-removal dependencies links/link-rows links/record-links relation
    relations-of-table service
  `),
  'records/rollups': names('derive-records keep-rollups touched-message'),
  'records/snoozes': names('snoozes'),
  'records/views': names('administer-views check-view count-views private-views shared-views use-view view'),
  'automation/bpmn': names(`
    changes/migrate-state changes/modify-tokens changes/set-variables diagram/glyphs
    document/defined-variables document/read/wf-descriptor engine/graph-of engine/stored-state
    expressions/compiled-expressions expressions/completion-rules expressions/expression
    expressions/global-names expressions/interpret process shapes/compiled-process shapes/finding-codes
    shapes/graph shapes/reads shapes/timing
  `),
  'automation/decisions': names('decision decisions evaluate/decide evaluate/evaluate-by-request replay/replay-job'),
  'automation/incoming-actions': names(`
    administer/incoming-actions administer/list-incoming-actions by-hand/handle-by-hand check-incoming-action
    execute-rule incoming-action list-target-models preview-rule reprocess-message run/dependencies run/process-message run/rule-of-mailbox
  `),
  'automation/macros': names('macro macros next-record run-macro'),
  'automation/portal': names('approvals/decide-by-link dependencies service'),
  'automation/portal-items': names('portal-item portal-items'),
  'automation/processes': names(`
    archived-rows bulk/bulk-job bulk/start-bulk dependencies instances/begin-activity instances/cancelled-instances
    instances/describe-diagram instances/describe-instance instances/list-incidents instances/list-instances
    instances/operate-instances instances/send-events instances/show-decision instances/start-by-script
    instances/steps-of-record instances/template-figures rows/activities-row rows/decision-outcome rows/incident-row
    rows/operation-row rows/task-row runtime/advance-instance runtime/due-processes runtime/pause-instance
    runtime/process-wake runtime/record-changed sight/process-sight sight/visible-records
    tasks/assignment/assign-task tasks/assignment/change-task tasks/completion/complete-task tasks/list-tasks
    tasks/require-task tasks/shown-tasks templates/administer-templates templates/check-template
    templates/configured-names templates/describe-template templates/named-tables templates/template
    templates/write-templates
  `),
  'automation/replies': names(
    'comment-replies dependencies fill-snippet forward-messages reply-options reply-templates',
  ),
  'automation/snippets': names('snippets'),
  'automation/subscriptions': names(
    'check-subscription evaluate/evaluate-change evaluate/parts subscription subscriptions',
  ),
  'operations/batches': names(`
    batch-job bulk-change import-batch merge/merge-record merge/split-record merge/unmerge-record read-batches
    start-batch undo-batch
  `),
  'operations/configuration': names(`
    apply/apply-configuration apply/apply-job export/export-configuration export/export-job
    sections/channel-section sections/configured-objects sections/decision-section
    sections/incoming-action-section sections/notification-template-section sections/process-section
    sections/relation-section sections/role-section sections/sections sections/table-section
    sections/view-section
  `),
  'operations/import-export': names(`
    export/export-job export/export-records import-file/file-import-job import-file/start-file-import
    import/import-job import/import-records import/read-csv import/read-ndjson
  `),
  'operations/import-mappings': names('check-mapping import-mapping import-mappings'),
  'operations/maintenance': names(
    'rebuild/derive-values rebuild/rebuild-job rebuild/reindex-table repair/repair-job repair/start-repairs',
  ),
  'operations/tenant-life': names(`
    deletion/delete-tenant deletion/purge-job erasure/erase-person erasure/erasure-job export/export-job
    export/start-export
  `),
  'operations/timeline': names('read-timeline'),
  'operations/warnings': names('rename-warnings table-warnings'),
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
