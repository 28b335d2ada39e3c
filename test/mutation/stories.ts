/** The stories and fault tests that a part of the code must not change unnoticed by, quickest first. */
const stories: readonly (readonly [folder: string, stories: readonly string[]])[] = [
  ['shared/records/write/keyed-request', ['test/story/records/idempotency.test.ts']],
  [
    'shared/records/write',
    [
      'test/story/records/idempotency.test.ts',
      'test/story/records/records.test.ts',
      'test/story/records/record-updates.test.ts',
    ],
  ],
  ['shared/records/count', ['test/story/maintenance/cut-off-create.test.ts']],
  [
    'shared/store',
    ['test/story/maintenance', 'test/story/records/records.test.ts', 'test/story/records/record-updates.test.ts'],
  ],
  ['shared/auth', ['test/story/accounts']],
  ['shared/row-rules', ['test/story/accounts', 'test/story/api/isolation.test.ts']],
  ['shared/processes/runtime', ['test/story/processes']],
]

/** The stories of the first folder that a file is in. */
export const storiesOf = (file: string): readonly string[] =>
  stories.find(([folder]) => file.startsWith(folder))?.[1] ?? []
