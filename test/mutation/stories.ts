import { existsSync } from 'node:fs'

/** The files of stories, which must exist: a name that means nothing would find nothing. */
const named = (...names: readonly string[]): string[] =>
  names.map((name) => {
    const file = `test/story/${name}.test.ts`
    if (!existsSync(file)) throw new Error(`There is no story ${file}`)
    return file
  })

/**
 * The tests beside those of its own folder that a part of the code must not change unnoticed by. A file belongs to the
 * first line that it begins with. Few, because each mutant runs them all.
 */
const stories: readonly (readonly [path: string, stories: readonly string[]])[] = [
  ['shared/platform/http/routing/idempotency-key', named('records/idempotency')],
  ['shared/records/records/write/keyed-request', named('records/idempotency')],
  ['shared/records/records/write/create-idempotent', named('records/idempotency')],
  ['shared/records/records/write/restore-record', named('records/point-in-time')],
  ['shared/records/records/write/tree-writes', named('accounts/org-units')],
  ['shared/records/records/write/field-access', named('rules/field-rules')],
  [
    'shared/records/records/write/',
    named(
      'records/records',
      'records/record-updates',
      'hooks/hooks',
      'tables/tables',
      'records/deletes',
      'hooks/pending-hooks',
      'rules/row-rules',
      'rules/field-rules',
    ),
  ],
  ['shared/records/records/count', named('maintenance/cut-off-create')],
  [
    'shared/platform/store/sequence',
    ['test/unit/shared/records/records/count/repair-count.test.ts', ...named('maintenance/cut-off-create')],
  ],
  ['shared/platform/store/config', named('tables/tables', 'accounts/administration')],
  [
    'shared/platform/store/',
    named(
      'maintenance/cut-off-create',
      'records/records',
      'records/record-updates',
      'records/deletes',
      'records/point-in-time',
    ),
  ],
  [
    'shared/accounts/account-mail',
    [
      ...named('sign-in/password-reset', 'sign-in/email-verification', 'accounts/inviting'),
      'test/story/notifications/account-mails.test.ts',
    ],
  ],
  ['shared/accounts/sign-in/second-factor', named('sign-in/second-factor')],
  ['shared/accounts/keys', named('accounts/api-keys')],
  [
    'shared/accounts/credentials',
    ['test/unit/shared/accounts/credentials/password.test.ts', ...named('accounts/accounts', 'sign-in/registration')],
  ],
  [
    'shared/accounts/roles',
    named(
      'rules/roles',
      'accounts/administration',
      'rules/field-rules',
      'rules/row-rules',
      'sign-in/auth-mappings',
      'accounts/org-units',
    ),
  ],
  ['shared/accounts/sign-in/impersonate', named('accounts/impersonation')],
  ['shared/accounts/sign-in/switch-tenant', named('accounts/memberships')],
  ['shared/accounts/sessions/own-sessions', named('sign-in/sessions')],
  [
    'shared/accounts/sessions',
    named(
      'accounts/accounts',
      'sign-in/sessions',
      'accounts/api-keys',
      'accounts/impersonation',
      'accounts/memberships',
      'accounts/account-lifetimes',
      'sign-in/second-factor',
    ),
  ],
  ['shared/accounts/invitations', named('accounts/invitations', 'accounts/inviting')],
  [
    'shared/accounts/sign-in/providers/oauth/',
    ['test/unit/shared/accounts/sign-in/providers', ...named('sign-in/oauth', 'sign-in/provider-domains')],
  ],
  [
    'shared/accounts/sign-in/providers/groups',
    ['test/unit/shared/accounts/sign-in/providers', ...named('sign-in/auth-mappings', 'sign-in/login-sso')],
  ],
  [
    'shared/accounts/sign-in/providers',
    [
      'test/unit/shared/accounts/sign-in/providers',
      ...named('sign-in/login-sso', 'sign-in/provider-domains', 'sign-in/oauth'),
    ],
  ],
  ['shared/accounts/sign-in/recovery', named('sign-in/password-reset', 'sign-in/email-verification')],
  ['shared/accounts/people/lookup', named('accounts/people')],
  [
    'shared/accounts/tenants',
    [
      'test/unit/shared/accounts/people/changes-at-once.test.ts',
      ...named('sign-in/registration', 'accounts/memberships', 'accounts/admin-command'),
    ],
  ],
  ['shared/accounts/access/row-access', named('rules/row-rules', 'rules/field-rules', 'records/deletes')],
  ['shared/accounts/access', named('rules/row-rules', 'rules/field-rules', 'accounts/administration')],
  [
    'shared/accounts/sign-in',
    named(
      'accounts/accounts',
      'sign-in/sessions',
      'accounts/impersonation',
      'accounts/memberships',
      'accounts/account-lifetimes',
      'sign-in/second-factor',
    ),
  ],
  [
    'shared/accounts/',
    named(
      'accounts/administration',
      'accounts/accounts',
      'accounts/memberships',
      'tenants/user-erasure',
      'accounts/account-lifetimes',
      'sign-in/registration',
      'accounts/org-units',
    ),
  ],
  ['shared/automation/processes/steps/retry-failed-work', named('processes/retries')],
  ['shared/automation/processes/steps/suspend-step', named('processes/retries')],
  [
    'shared/automation/processes/steps/step-work',
    named('processes/expressions', 'processes/processes', 'processes/incidents'),
  ],
  [
    'shared/automation/processes/evaluate/step-expressions',
    named('processes/expressions', 'processes/processes', 'processes/incidents'),
  ],
  [
    'shared/automation/processes/steps/step-tasks',
    [...named('processes/tasks', 'processes/people'), 'test/deep/faults/process-workers.test.ts'],
  ],
  ['shared/automation/decisions', ['test/unit/shared/automation/decisions', ...named('decisions/decisions')]],
  [
    'shared/operations/batches/merge',
    named('batches/merge-in-background.deep', 'batches/merge', 'batches/merge-model', 'portal/merged-requests'),
  ],
  ['shared/operations/batches', named('batches/bulk-changes', 'batches/macros')],
  ['shared/records/portal-requests', named('portal/requests', 'portal/approvals', 'portal/merged-requests')],
  ['shared/automation/portal', named('portal/requests', 'portal/approvals', 'portal/articles')],
  [
    'shared/automation/processes/evaluate',
    named('processes/expressions', 'processes/processes', 'processes/tasks', 'processes/messages'),
  ],
  [
    'shared/automation/processes/steps',
    named('processes/processes', 'processes/retries', 'processes/tasks', 'processes/people'),
  ],
  ['shared/automation/processes/people', named('processes/tasks', 'processes/assignment', 'processes/people')],
  ['shared/automation/processes/bulk', named('processes/operations')],
  [
    'shared/automation/processes/runtime',
    named('processes/processes', 'processes/retries', 'processes/tasks', 'processes/people'),
  ],
  ['shared/automation/processes/tasks', named('processes/tasks', 'processes/claims-and-lists', 'processes/assignment')],
  [
    'shared/automation/processes/events',
    [
      'test/unit/shared/automation/processes/events/events-survive.deep.test.ts',
      ...named('processes/messages', 'processes/starts'),
    ],
  ],
  ['shared/automation/processes/operations', named('processes/operations')],
  ['shared/automation/processes/templates', named('processes/templates', 'processes/starts')],
  ['shared/automation/processes', named('processes/processes', 'processes/calls')],
]

/** The stories of the first folder or file that `file` begins with. */
export const storiesOf = (file: string): readonly string[] => stories.find(([path]) => file.startsWith(path))?.[1] ?? []
