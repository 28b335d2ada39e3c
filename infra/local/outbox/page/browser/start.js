// Puts a button beside each example of the page that copies it. Without a clipboard there is none.

const shownForMs = 2_000

for (const figure of navigator.clipboard ? document.querySelectorAll('figure') : []) {
  const caption = figure.querySelector('figcaption')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${caption.textContent}`)
  const said = document.createElement('span')
  said.setAttribute('role', 'status')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(`${figure.querySelector('code').textContent}\n`)
      said.textContent = 'Copied'
    } catch {
      said.textContent = 'The browser does not allow it: select the text.'
    }
    setTimeout(() => (said.textContent = ''), shownForMs)
  })
  caption.append(said, button)
}
