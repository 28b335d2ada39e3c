import { LoginAnswer, SsoBody } from '../../shared/auth/schema.ts'
import { defineRoute, type Route } from '../../shared/http/routing/define-route.ts'

const tag = 'Sign-in at providers'
const login = {
  token: '8471123004|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs',
  user: { id: 3, name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] },
  tenant: { slug: 'acme', name: 'Acme Ltd' },
}

export const logInSso = defineRoute({
  method: 'POST',
  path: '/api/login-sso',
  tag,
  summary: 'Sign in with a token of an identity provider',
  description:
    'Takes a JWT of the provider that the settings `SSO_*` name, of the company or of the deployment. It must be signed with a key of the provider (RS, PS, ES or EdDSA), name exactly its issuer and audience, hold `exp`, `iat`, `sub` and `email`, and not be expired; one with a `jti` signs in once. The first sign-in creates the user with the default role. Each sign-in gives the organisational units and roles that `/api/sys/auth-mappings` gives to the groups. A provider of a company signs in only addresses of its verified domains. Whatever is wrong, the answer is the same 401.',
  open: true,
  body: SsoBody,
  answer: LoginAnswer,
  shape: 'login',
  example: { body: { token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIzIn0.c2lnbmF0dXJl' }, answer: login },
})

export const routes: readonly Route[] = [logInSso]
