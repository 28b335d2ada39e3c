/** `account-mail` as `AccountMail`, `mail_host` as `MailHost`: names as CloudFormation spells them. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_])([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
