/** As much of a browser as a redirect flow needs: it keeps cookies by host and follows redirects. */
export interface Page {
  readonly url: string
  readonly status: number
  /** Parsed JSON; undefined for anything else. */
  readonly body: any
}

export interface Browser {
  /** Opens an address and follows redirects. */
  go(address: string): Promise<Page>
  /** Follows redirects up to the first address that `stopAt` names, which is answered and not opened. */
  follow(address: string, stopAt: (address: string) => boolean): Promise<string>
}

const maxRedirects = 10

export function openBrowser(): Browser {
  const cookies = new Map<string, Map<string, string>>()

  async function open(address: string): Promise<Response> {
    const { host } = new URL(address)
    const jar = cookies.get(host) ?? new Map<string, string>()
    cookies.set(host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  async function walk(
    address: string,
    stopAt: (address: string) => boolean,
  ): Promise<{ url: string; answer?: Response }> {
    let url = address
    for (let hops = 0; hops < maxRedirects; hops += 1) {
      if (hops > 0 && stopAt(url)) return { url }
      const answer = await open(url)
      const location = answer.headers.get('location')
      if (location === null) return { url, answer }
      url = new URL(location, url).href
    }
    throw new Error(`too many redirects from ${address}`)
  }

  return {
    async go(address) {
      const { url, answer } = await walk(address, () => false)
      const text = (await answer?.text()) ?? ''
      return { url, status: answer?.status ?? 0, body: text.startsWith('{') ? JSON.parse(text) : undefined }
    },
    follow: async (address, stopAt) => (await walk(address, stopAt)).url,
  }
}
