package io.parterre.deploy;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing without one of its own commands. */
public abstract class CommandGroup implements Runnable {
    @Spec private CommandSpec spec;

    protected final CommandSpec spec() {
        return spec;
    }

    /** Without a command there is nothing to run: say so, show the usage, exit 2. */
    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
