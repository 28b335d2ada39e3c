import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  findProviderTenant,
  moveProviderClaim,
} from '../../../../../../shared/accounts/sign-in/providers/sso/provider-claim.ts'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { deploymentWide } from '../../../../../../shared/platform/store/store.ts'
import { commit } from '../../../../../../shared/platform/store/writes/commit.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const issuer = 'https://login.test'
const named = (audience: string | null) => ({ SSO_ISSUER: issuer, SSO_AUDIENCE: audience })
const move = (tenant: number, before: string | null, after: string | null) =>
  commit(
    single.store,
    deploymentWide,
    moveProviderClaim({ id: tenant }, named(before), named(after)),
    crypto.randomUUID(),
  )
const ownerOf = (audience: string) => findProviderTenant(single.store, issuer, [audience])

it('belongs to the first tenant that names it, until that tenant gives it up', async () => {
  await move(1, null, 'app')
  await expect(move(2, null, 'app')).rejects.toThrow(Invalid)
  expect(await ownerOf('app')).toEqual({ id: 1 })
  await move(1, 'app', 'other')
  await move(2, null, 'app')
  expect([await ownerOf('app'), await ownerOf('other')]).toEqual([{ id: 2 }, { id: 1 }])
})

it('is not given up by a tenant that does not have it', async () => {
  await move(1, null, 'theirs')
  await expect(move(2, 'theirs', null)).rejects.toThrow(TransactionRefused)
  expect(await ownerOf('theirs')).toEqual({ id: 1 })
})

it('is taken and given up again by its own tenant without an error', async () => {
  await move(1, null, 'again')
  await move(1, null, 'again')
  await move(1, 'again', null)
  await move(1, 'again', null)
  expect(await ownerOf('again')).toBeUndefined()
})

it('needs issuer and audience', async () => {
  expect(moveProviderClaim({ id: 1 }, named(null), { SSO_ISSUER: null, SSO_AUDIENCE: 'app' })).toEqual([])
})
