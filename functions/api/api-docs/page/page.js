// Shows the OpenAPI document and the guides with Scalar. Nothing is asked of another host.

const tokenName = 'reference-token'
const signInPaths = /\/api\/(login-\w+|register|user\/switch|impersonate\/\d+|auth\/exchange|join\/[^/]+)$/

/** The token of this tab: of the last sign-in that the reader tried out here. */
const token = () => sessionStorage.getItem(tokenName)

/** Sends a request of the reference with the reader's token, and keeps the token of a sign-in. */
async function send(input, init) {
  const request = new Request(input, init)
  const given = request.headers.get('authorization') ?? ''
  if (token() && /^(Bearer\s*(YOUR_SECRET_TOKEN)?)?$/.test(given.trim()))
    request.headers.set('authorization', `Bearer ${token()}`)
  const answer = await fetch(request)
  const { pathname } = new URL(request.url)
  if (answer.ok && signInPaths.test(pathname)) {
    const login = await answer.clone().json()
    if (login.token) sessionStorage.setItem(tokenName, login.token)
  }
  if (answer.ok && pathname.endsWith('/api/logout')) sessionStorage.removeItem(tokenName)
  return answer
}

/** With a token the document names the tables that its user can read; an expired token gets the general one. */
async function readDocument() {
  const address = 'openapi.json'
  const own = token() ? await fetch(address, { headers: { authorization: `Bearer ${token()}` } }) : undefined
  return (own?.ok ? own : await fetch(address)).json()
}

/** What the library leaves out: names of buttons, names that begin with what is shown, and samples that keys can scroll. */
function completeForScreenReaders() {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) {
    const shown = button.textContent.trim()
    const name = button.getAttribute('aria-label')
    if (!name.startsWith(shown)) button.setAttribute('aria-label', `${shown}: ${name}`)
  }
  for (const button of document.querySelectorAll('button[role="none"]')) button.removeAttribute('role')
  for (const text of document.querySelectorAll('.cm-content[role="textbox"]:not([aria-label])'))
    text.setAttribute(
      'aria-label',
      text.getAttribute('contenteditable') === 'true' ? 'Body to send' : 'Body of the answer',
    )
  for (const input of document.querySelectorAll('[role="combobox"]:not([aria-expanded])'))
    input.setAttribute('aria-expanded', 'false')
  for (const sample of document.querySelectorAll('code.custom-scroll:not([tabindex]), ul.endpoints:not([tabindex])'))
    sample.setAttribute('tabindex', '0')
}

async function show() {
  const [api, guides] = await Promise.all([readDocument(), fetch('docs/guides.json').then((answer) => answer.json())])
  const sections = api.tags.map(({ name }) => name)
  const tags = guides.map(({ name, title, text }) => ({
    name: `guide-${name}`,
    'x-displayName': title,
    description: text,
  }))
  document.querySelector('#reference').textContent = ''
  new MutationObserver(completeForScreenReaders).observe(document.body, { childList: true, subtree: true })
  Scalar.createApiReference('#reference', {
    content: {
      ...api,
      tags: [...tags, ...api.tags],
      'x-tagGroups': [
        { name: 'Guides', tags: tags.map(({ name }) => name) },
        { name: 'Reference', tags: sections },
      ],
    },
    customFetch: send,
    baseServerURL: location.origin,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideModels: true,
    defaultOpenFirstTag: false,
    metaData: { title: `${api.info.title} · Reference and guides` },
  })
}

show().catch((failure) => {
  const reference = document.querySelector('#reference')
  reference.textContent = `The reference could not be loaded: ${failure.message}. Reload the page to try again.`
  reference.className = 'loading'
})
