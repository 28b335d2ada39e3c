import { expect, it } from 'vitest'
import { signedHeaders } from '../../../../infra/operate/sign-request.ts'

/** From AWS's test suite of Signature Version 4: `get-vanilla`, `post-vanilla`, `post-header-key-sort`. */
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const at = { region: 'us-east-1', service: 'service', now: Date.parse('2015-08-30T12:36:00Z') }
const url = new URL('https://example.amazonaws.com/')

it.each([
  ['GET', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['POST', {}, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['POST', { 'my-header1': 'value1' }, 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c'],
] as const)('signs %s %j as AWS does', (method, headers, signature) => {
  const signed = signedHeaders({ method, url, body: '', headers }, credentials, at)
  expect(signed['x-amz-date']).toBe('20150830T123600Z')
  expect(signed.authorization).toContain(`Signature=${signature}`)
})

it('signs the session token of temporary credentials', () => {
  const { authorization, 'x-amz-security-token': token } = signedHeaders(
    { method: 'GET', url, body: '' },
    { ...credentials, sessionToken: 'session' },
    at,
  )
  expect([token, authorization]).toEqual([
    'session',
    expect.stringContaining('SignedHeaders=host;x-amz-date;x-amz-security-token,'),
  ])
})
