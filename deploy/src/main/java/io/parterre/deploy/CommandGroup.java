package io.parterre.deploy;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands. */
public abstract class CommandGroup implements Runnable {
    @Spec private CommandSpec spec;

    protected final CommandSpec spec() {
        return spec;
    }

    /** Without a subcommand there is nothing to run: prints so with the usage and exits with 2. */
    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
