const accounts = (...names: readonly string[]): string[] => names.map((name) => `test/story/accounts/${name}.test.ts`)
const records = (...names: readonly string[]): string[] => names.map((name) => `test/story/records/${name}.test.ts`)
const processes = (...names: readonly string[]): string[] => names.map((name) => `test/story/processes/${name}.test.ts`)

/**
 * The tests beside those of its own folder that a part of the code must not change unnoticed by. A file belongs to the
 * first line that it begins with. Few, because each mutant runs them all.
 */
const stories: readonly (readonly [path: string, stories: readonly string[]])[] = [
  ['shared/http/routing/idempotency-key', records('idempotency')],
  ['shared/records/write/keyed-request', records('idempotency')],
  ['shared/records/write/create-idempotent', records('idempotency')],
  ['shared/records/write/restore-record', records('point-in-time')],
  ['shared/records/write/tree-writes', accounts('org-units')],
  ['shared/records/write/field-access', accounts('field-rules')],
  [
    'shared/records/write/',
    [
      ...records('records', 'record-updates', 'hooks', 'tables', 'deletes', 'one-write', 'pending-hooks'),
      ...accounts('row-rules', 'field-rules'),
    ],
  ],
  ['shared/records/count', ['test/story/maintenance/cut-off-create.test.ts']],
  [
    'shared/store/sequence',
    ['test/unit/shared/records/count/heal-count.test.ts', 'test/story/maintenance/cut-off-create.test.ts'],
  ],
  ['shared/store/config', [...records('tables'), ...accounts('administration')]],
  [
    'shared/store/',
    [
      'test/story/maintenance/cut-off-create.test.ts',
      ...records('records', 'record-updates', 'deletes', 'point-in-time'),
    ],
  ],
  [
    'shared/auth/account-mail',
    [...accounts('password-reset', 'email-verification', 'inviting'), 'test/story/notifications/account-mails.test.ts'],
  ],
  ['shared/auth/second-factor', accounts('second-factor')],
  ['shared/auth/api-keys', accounts('api-keys')],
  [
    'shared/auth/passwords',
    ['test/unit/shared/auth/accounts/password.test.ts', ...accounts('accounts', 'registration')],
  ],
  ['shared/auth/roles', accounts('roles', 'administration', 'field-rules', 'row-rules', 'auth-mappings', 'org-units')],
  ['shared/auth/sessions/impersonate', accounts('impersonation')],
  ['shared/auth/sessions/switch-tenant', accounts('memberships')],
  ['shared/auth/sessions/own-sessions', accounts('sessions')],
  [
    'shared/auth/sessions',
    accounts('accounts', 'sessions', 'api-keys', 'impersonation', 'memberships', 'account-lifetimes', 'second-factor'),
  ],
  ['shared/auth/invitations', accounts('invitations', 'inviting')],
  ['shared/auth/external/oauth/', ['test/unit/shared/auth/external', ...accounts('oauth', 'provider-domains')]],
  ['shared/auth/external/groups', ['test/unit/shared/auth/external', ...accounts('auth-mappings', 'login-sso')]],
  ['shared/auth/external', ['test/unit/shared/auth/external', ...accounts('login-sso', 'provider-domains', 'oauth')]],
  ['shared/auth/recovery', accounts('password-reset', 'email-verification')],
  ['shared/auth/people', accounts('people')],
  [
    'shared/auth/tenants',
    [
      'test/unit/shared/auth/accounts/changes-at-once.test.ts',
      ...accounts('registration', 'memberships', 'admin-command'),
    ],
  ],
  [
    'shared/auth/',
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
  ['shared/row-rules/row-access', [...accounts('row-rules', 'field-rules'), ...records('deletes')]],
  ['shared/row-rules', accounts('row-rules', 'field-rules', 'administration')],
  ['shared/processes/runtime/retry-failed-work', processes('retries')],
  ['shared/processes/runtime/step/suspend-step', processes('retries')],
  ['shared/processes/runtime/step/step-work', processes('expressions', 'processes', 'incidents')],
  ['shared/processes/runtime/step/step-expressions', processes('expressions', 'processes', 'incidents')],
  [
    'shared/processes/runtime/step/step-tasks',
    [...processes('tasks', 'people'), 'test/faults/process-workers.test.ts'],
  ],
  ['shared/processes/runtime', processes('processes', 'retries', 'tasks', 'people')],
]

/** The stories of the first folder or file that `file` begins with. */
export const storiesOf = (file: string): readonly string[] => stories.find(([path]) => file.startsWith(path))?.[1] ?? []
