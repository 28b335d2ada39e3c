import { expect, it } from 'vitest'
import * as keys from '../../../../shared/store/keys/records.ts'

const tenant = { id: 7 }

it.each([
  ['a tenant', keys.tenantKey(tenant), 'TENANT#7', 'TENANT#7'],
  ['an e-mail address', keys.emailKey('a@b.c'), 'EMAIL#a@b.c', 'EMAIL#a@b.c'],
  ['a token', keys.tokenKey(91), 'TOKEN#91', 'TOKEN#91'],
  ['a table', keys.configKey(tenant, 'TABLE', 'requests'), 'T#7#CONFIG', 'TABLE#requests'],
  ['a sequence', keys.sequenceKey(tenant, 'requests'), 'T#7#SEQ', 'requests'],
  ['a user', keys.userKey(tenant, 3), 'T#7#USERS', '000000000003'],
  ['a record', keys.recordKey(tenant, 'requests', 42), 'T#7#R#requests', '000000000042'],
  ['a version', keys.historyKey(tenant, 'requests', 42, 5), 'T#7#H#requests#42', '0000000005'],
  ['a tombstone', keys.tombstoneKey(tenant, 'requests', 42), 'T#7#H#requests#42', 'TOMBSTONE'],
  ['the left row of a link', keys.linkKey(tenant, 3, 'l', 42, 9), 'T#7#L#3#l#42', '000000000009'],
  ['its right row', keys.linkKey(tenant, 3, 'r', 9, 42), 'T#7#L#3#r#9', '000000000042'],
  ['a file', keys.fileKey(tenant, 'tok-en_1'), 'T#7#F#tok-en_1', 'FILE'],
  [
    'a claim on it',
    keys.fileClaimKey(tenant, 'tok-en_1', 'requests', 42),
    'T#7#F#tok-en_1',
    'CLAIM#requests#000000000042',
  ],
])('the key of %s', (_name, key, pk, sk) => expect(key).toEqual({ pk, sk }))

it('tells whose a key is, also when one tenant’s number begins with another’s', () => {
  expect(keys.belongsTo(keys.recordKey({ id: 7 }, 'requests', 1), { id: 7 })).toBe(true)
  expect(keys.belongsTo(keys.recordKey({ id: 71 }, 'requests', 1), { id: 7 })).toBe(false)
  expect(keys.belongsTo(keys.tenantKey({ id: 7 }), { id: 71 })).toBe(false)
  expect(keys.belongsTo(keys.tokenKey(7), { id: 7 })).toBe(false)
})

it('reads a link back from either of its rows', () => {
  expect(keys.parseLinkKey(keys.linkKey(tenant, 3, 'l', 42, 9))).toEqual({ l: 42, r: 9 })
  expect(keys.parseLinkKey(keys.linkKey(tenant, 3, 'r', 9, 42))).toEqual({ l: 42, r: 9 })
})

it('reads a file and a release back', () => {
  expect(keys.parseFileKey(keys.fileKey(tenant, 'tok-en_1'))).toEqual({ tenant, kind: 'file', token: 'tok-en_1' })
  expect(keys.parseFileKey(keys.fileReleaseKey(tenant, 'a-b'))).toEqual({ tenant, kind: 'release', token: 'a-b' })
  expect(keys.parseFileKey(keys.recordKey(tenant, 'requests', 42))).toBeUndefined()
})

it('reads a record key back', () => {
  expect(keys.parseRecordKey(keys.recordKey(tenant, 'requests', 42))).toEqual({ tenant, model: 'requests', id: 42 })
  expect(keys.parseRecordKey(keys.userKey(tenant, 42))).toBeUndefined()
})
