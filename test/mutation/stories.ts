const accounts = (...names: readonly string[]): string[] => names.map((name) => `test/story/accounts/${name}.test.ts`)
const records = (...names: readonly string[]): string[] => names.map((name) => `test/story/records/${name}.test.ts`)
const processes = (...names: readonly string[]): string[] => names.map((name) => `test/story/processes/${name}.test.ts`)

/**
 * The tests beside those of its own folder that a part of the code must not change unnoticed by. A file belongs to the
 * first line that it begins with. Few, because each mutant runs them all.
 */
const stories: readonly (readonly [path: string, stories: readonly string[]])[] = [
  ['shared/platform/http/routing/idempotency-key', records('idempotency')],
  ['shared/records/records/write/keyed-request', records('idempotency')],
  ['shared/records/records/write/create-idempotent', records('idempotency')],
  ['shared/records/records/write/restore-record', records('point-in-time')],
  ['shared/records/records/write/tree-writes', accounts('org-units')],
  ['shared/records/records/write/field-access', accounts('field-rules')],
  [
    'shared/records/records/write/',
    [
      ...records('records', 'record-updates', 'hooks', 'tables', 'deletes', 'one-write', 'pending-hooks'),
      ...accounts('row-rules', 'field-rules'),
    ],
  ],
  ['shared/records/records/count', ['test/story/maintenance/cut-off-create.test.ts']],
  [
    'shared/platform/store/sequence',
    ['test/unit/shared/records/records/count/repair-count.test.ts', 'test/story/maintenance/cut-off-create.test.ts'],
  ],
  ['shared/platform/store/config', [...records('tables'), ...accounts('administration')]],
  [
    'shared/platform/store/',
    [
      'test/story/maintenance/cut-off-create.test.ts',
      ...records('records', 'record-updates', 'deletes', 'point-in-time'),
    ],
  ],
  [
    'shared/accounts/account-mail',
    [...accounts('password-reset', 'email-verification', 'inviting'), 'test/story/notifications/account-mails.test.ts'],
  ],
  ['shared/accounts/sign-in/second-factor', accounts('second-factor')],
  ['shared/accounts/keys', accounts('api-keys')],
  [
    'shared/accounts/sign-in/passwords',
    ['test/unit/shared/accounts/people/password.test.ts', ...accounts('accounts', 'registration')],
  ],
  [
    'shared/accounts/roles',
    accounts('roles', 'administration', 'field-rules', 'row-rules', 'auth-mappings', 'org-units'),
  ],
  ['shared/accounts/sessions/impersonate', accounts('impersonation')],
  ['shared/accounts/sessions/switch-tenant', accounts('memberships')],
  ['shared/accounts/sessions/own-sessions', accounts('sessions')],
  [
    'shared/accounts/sessions',
    accounts('accounts', 'sessions', 'api-keys', 'impersonation', 'memberships', 'account-lifetimes', 'second-factor'),
  ],
  ['shared/accounts/invitations', accounts('invitations', 'inviting')],
  [
    'shared/accounts/sign-in/providers/oauth/',
    ['test/unit/shared/accounts/sign-in/providers', ...accounts('oauth', 'provider-domains')],
  ],
  [
    'shared/accounts/sign-in/providers/groups',
    ['test/unit/shared/accounts/sign-in/providers', ...accounts('auth-mappings', 'login-sso')],
  ],
  [
    'shared/accounts/sign-in/providers',
    ['test/unit/shared/accounts/sign-in/providers', ...accounts('login-sso', 'provider-domains', 'oauth')],
  ],
  ['shared/accounts/sign-in/recovery', accounts('password-reset', 'email-verification')],
  ['shared/accounts/people/lookup', accounts('people')],
  [
    'shared/accounts/tenants',
    [
      'test/unit/shared/accounts/people/changes-at-once.test.ts',
      ...accounts('registration', 'memberships', 'admin-command'),
    ],
  ],
  ['shared/accounts/access/row-access', [...accounts('row-rules', 'field-rules'), ...records('deletes')]],
  ['shared/accounts/access', accounts('row-rules', 'field-rules', 'administration')],
  [
    'shared/accounts/sign-in',
    accounts('accounts', 'sessions', 'impersonation', 'memberships', 'account-lifetimes', 'second-factor'),
  ],
  [
    'shared/accounts/',
    accounts(
      'administration',
      'accounts',
      'memberships',
      'user-erasure',
      'account-lifetimes',
      'registration',
      'org-units',
    ),
  ],
  ['shared/automation/processes/runtime/retry-failed-work', processes('retries')],
  ['shared/automation/processes/runtime/step/suspend-step', processes('retries')],
  ['shared/automation/processes/runtime/step/step-work', processes('expressions', 'processes', 'incidents')],
  ['shared/automation/processes/runtime/step/step-expressions', processes('expressions', 'processes', 'incidents')],
  [
    'shared/automation/processes/runtime/step/step-tasks',
    [...processes('tasks', 'people'), 'test/deep/faults/process-workers.test.ts'],
  ],
  ['shared/automation/processes/runtime', processes('processes', 'retries', 'tasks', 'people')],
]

/** The stories of the first folder or file that `file` begins with. */
export const storiesOf = (file: string): readonly string[] => stories.find(([path]) => file.startsWith(path))?.[1] ?? []
