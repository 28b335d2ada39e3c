/** Providers at which people of all companies have their addresses, by the first labels of their domains. */
const publicProviders = new Set(
  `gmail googlemail outlook hotmail live msn yahoo ymail rocketmail icloud me mac aol gmx web t-online freenet arcor posteo
  mailbox proton protonmail tutanota tuta pm mail email inbox zoho fastmail hey hushmail yandex ya rambler bk list ukr qq 163
  126 sina naver daum hanmail orange free laposte wanadoo sfr libero virgilio tiscali bluewin ziggo kpnmail planet seznam
  centrum wp o2 onet interia comcast verizon att sbcglobal cox charter btinternet sky virginmedia talktalk ntlworld uol bol
  terra rediffmail telia bredband aon chello shaw rogers bigpond optusnet xtra`.split(/\s+/),
)

/** The domain of an address that says for which company somebody works; undefined at a provider of everybody. */
export function companyOf(address: string): string | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return publicProviders.has(domain.split('.')[0] as string) ? undefined : domain
}
