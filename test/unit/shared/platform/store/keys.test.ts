import { expect, it } from 'vitest'
import { emailKey, tenantKey, tokenKey, userKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { configKey } from '../../../../../shared/platform/store/keys/configuration.ts'
import {
  fileClaimKey,
  fileDueKey,
  fileKey,
  fileReleaseKey,
  parseFileKey,
} from '../../../../../shared/platform/store/keys/files.ts'
import { historyKey, parseTrailSort, trailSort } from '../../../../../shared/platform/store/keys/history.ts'
import { belongsTo, dueAtOf } from '../../../../../shared/platform/store/keys/key.ts'
import {
  recordIdOf,
  recordKey,
  cleanupDueKey,
  sequenceKey,
  tombstoneKey,
} from '../../../../../shared/platform/store/keys/records.ts'
import { linkKey, parseLinkKey } from '../../../../../shared/platform/store/keys/relations.ts'

const tenant = { id: 7 }

it.each([
  ['a tenant', tenantKey(tenant), 'TENANT#7', 'TENANT#7'],
  ['an e-mail address', emailKey('a@b.c'), 'EMAIL#a@b.c', 'EMAIL#a@b.c'],
  ['a token', tokenKey(91), 'TOKEN#91', 'TOKEN#91'],
  ['a table', configKey(tenant, 'TABLE', 'requests'), 'T#7#CONFIG', 'TABLE#requests'],
  ['a sequence', sequenceKey(tenant, 'requests'), 'T#7#SEQ#requests', 'requests'],
  ['a user', userKey(tenant, 3), 'T#7#USERS', '000000000003'],
  ['a record', recordKey(tenant, 'requests', 42), 'T#7#R#requests#0', '000000000042'],
  ['the first record of a bucket', recordKey(tenant, 'requests', 128), 'T#7#R#requests#2', '000000000128'],
  ['the last record of a bucket', recordKey(tenant, 'requests', 127), 'T#7#R#requests#1', '000000000127'],
  ['a version', historyKey(tenant, 'requests', 42, 5), 'T#7#H#requests#42', '0000000005'],
  ['a tombstone', tombstoneKey(tenant, 'requests', 42), 'T#7#H#requests#42', 'TOMBSTONE'],
  ['the left row of a link', linkKey(tenant, 3, 'l', 42, 9), 'T#7#L#3#l#42', '000000000009'],
  ['the right row of a link', linkKey(tenant, 3, 'r', 9, 42), 'T#7#L#3#r#9', '000000000042'],
  ['a file', fileKey(tenant, 'tok-en_1'), 'T#7#F#tok-en_1', 'FILE'],
  [
    'a claim on a file',
    fileClaimKey(tenant, 'tok-en_1', 'requests', 42),
    'T#7#F#tok-en_1',
    'CLAIM#requests#000000000042',
  ],
])('the key of %s', (_name, key, pk, sk) => expect(key).toEqual({ pk, sk }))

it('belongsTo knows the tenant of a key, even when one tenant’s id is a prefix of another’s', () => {
  expect(belongsTo(recordKey({ id: 7 }, 'requests', 1), { id: 7 })).toBe(true)
  expect(belongsTo(recordKey({ id: 71 }, 'requests', 1), { id: 7 })).toBe(false)
  expect(belongsTo(tenantKey({ id: 7 }), { id: 71 })).toBe(false)
  expect(belongsTo(tokenKey(7), { id: 7 })).toBe(false)
})

it('a link is parsed from the key of either of its rows', () => {
  expect(parseLinkKey(linkKey(tenant, 3, 'l', 42, 9))).toEqual({ l: 42, r: 9 })
  expect(parseLinkKey(linkKey(tenant, 3, 'r', 9, 42))).toEqual({ l: 42, r: 9 })
})

it('a file and a release are parsed from their keys', () => {
  expect(parseFileKey(fileKey(tenant, 'tok-en_1'))).toEqual({ tenant, kind: 'file', token: 'tok-en_1' })
  expect(parseFileKey(fileReleaseKey(tenant, 'a-b'))).toEqual({ tenant, kind: 'release', token: 'a-b' })
  expect(parseFileKey(recordKey(tenant, 'requests', 42))).toBeUndefined()
})

it('the id of a record is parsed from its key and from that of its tombstone', () => {
  expect(recordIdOf(recordKey(tenant, 'requests', 42))).toBe(42)
  expect(recordIdOf(tombstoneKey(tenant, 'requests', 42))).toBe(42)
})

it('a trail row is parsed from its sort key', () => {
  const row = { at: '2026-01-02T03:04:05.006Z', action: 'update', model: 'requests', recordId: 42, version: 5 }
  expect(parseTrailSort(trailSort(row))).toEqual(row)
  expect(parseTrailSort(trailSort({ ...row, event: 'a-b' }))).toEqual(row)
})

it('the due time is parsed from the sort key of a due row', () => {
  const at = '2026-01-02T03:04:05.006Z'
  expect(dueAtOf(cleanupDueKey(at, tenant, 'requests', 42).sk)).toBe(at)
  expect(dueAtOf(fileDueKey(at, tenant, 'token').sk)).toBe(at)
})
