"""`python -m tricolore` is the command."""

from tricolore.cli.app import main

if __name__ == "__main__":
    main()
