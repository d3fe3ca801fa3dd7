"""Sign-on with accounts that people have elsewhere: OpenID Connect, through django-allauth.

allauth keeps the identities (`SocialAccount`: provider, subject, account), the state of a sign-in
under way, and the steps that sign in, sign up and connect. What is ours: providers come from the
settings alone; every answer of a provider is verified here (`id_token.py`), its signature and nonce
too; whatever is wrong with it is a page with a cure (`faults.py`), never an account.
docs/decisions/0026 says why.
"""
