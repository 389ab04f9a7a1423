/// What a person sees who opens the server's address in a browser.
enum FrontPage {
    static func html(version: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Ubiquity</title>
        <style>
        body { font: 1rem/1.5 system-ui, sans-serif }
        body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem }
        code { background: #8882; padding: .1em .3em; border-radius: .2em }
        @media (prefers-color-scheme: dark) {
          body { background: #111; color: #eee } a { color: #8cf }
        }
        </style>
        </head>
        <body>
        <h1>Ubiquity</h1>
        <p>This server is running. Version \(version).</p>
        <p>Make a machine one of its devices: <code>ubiquity join URL --account NAME</code></p>
        <p><a href="/healthz">Health</a> and <a href="/metrics">metrics</a></p>
        </body>
        </html>

        """
    }
}
