// The web app manifest, which browsers read to install the page: https://www.w3.org/TR/appmanifest/

/** Name of the manifest in the folder of the page. */
export const manifestName = 'manifest.webmanifest'

/** The icons: `npm run pictures -- icons` draws them. */
export const icons = [
  { file: 'www/src/assets/icons/icon-192.png', size: 192, purpose: 'any' },
  { file: 'www/src/assets/icons/icon-512.png', size: 512, purpose: 'any' },
  { file: 'www/src/assets/icons/maskable-512.png', size: 512, purpose: 'maskable' },
]

/** Exhibits in the menu of the installed page's icon: names and titles. */
export const shortcuts = {
  cartpole: 'CartPole',
  'connect-four': 'Connect Four',
  cube2: 'Cube 2×2×2',
  language: 'Language',
}

/**
 * Returns the manifest. URLs are relative to the manifest, so that the page works under any path. `iconUrls`: URL of each icon. A manifest has one
 * theme: the dark one, which is the default of the page; `<meta name="theme-color">` has both.
 */
export const webManifest = (iconUrls) => ({
  name: 'Vivarium: a glass box to watch machines learn in',
  short_name: 'Vivarium',
  description:
    'Machine-learning systems that train live in the browser. Watch them, disturb them, send the experiment as a link.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#0d1312',
  theme_color: '#0d1312',
  categories: ['education', 'science'],
  icons: icons.map(({ size, purpose }, index) => ({
    src: iconUrls[index],
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
  shortcuts: Object.entries(shortcuts).map(([name, title]) => ({ name: title, url: `./#/${name}` })),
})
