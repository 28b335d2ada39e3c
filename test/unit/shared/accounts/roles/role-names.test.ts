import { describe, expect, it } from 'vitest'
import { permissionPattern } from '../../../../../shared/accounts/roles/role.ts'

describe('a permission', () => {
  it.each(['*', 'requests.read', 'requests.*', '*.create', 'incoming_messages.create', 'sys_companies.update'])(
    'is valid as %s',
    (text) => {
      expect(permissionPattern.test(text)).toBe(true)
    },
  )

  it.each([
    '',
    'requests',
    '*.*',
    '*.fly',
    '.read',
    'requests.',
    'Requests.read',
    'requests.read.all',
    'requests .read',
    '**',
    'requests.read\n',
  ])('is invalid as %j', (text) => {
    expect(permissionPattern.test(text)).toBe(false)
  })
})
