import { expect, it } from 'vitest'
import { templateCode } from '../../../../../../shared/automation/processes/templates/check-write.ts'

it.each([
  ['Request approval', 'request-approval'],
  ['  Prüfung (neu) – Stufe 2  ', 'prufung-neu-stufe-2'],
  ['2nd look', 'nd-look'],
  ['a'.repeat(70), 'a'.repeat(63)],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ['審査', undefined],
  ['42', undefined],
])('a template called %j has the code %j', (name, code) => {
  expect(templateCode(name)).toBe(code)
})
