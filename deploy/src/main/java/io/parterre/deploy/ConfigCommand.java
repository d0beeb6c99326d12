package io.parterre.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.EffectiveConfig;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parterre config}: prints the settings in effect and where each comes from. */
@Command(
        name = "config",
        description =
                "Prints the settings in effect and where each comes from; secrets are hidden.",
        footer = {
            "  parterre config",
            "  parterre config --config /etc/parterre.yaml --json",
            "  PARTERRE_LOG_LEVEL=debug parterre config | grep environment"
        })
final class ConfigCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private ConfigOptions options;
    @Mixin private TableOptions tables;

    @Option(names = "--json", description = "Prints one JSON array.")
    private boolean json;

    @Override
    public Integer call() throws ConfigException, JsonProcessingException {
        EffectiveConfig config = options.read(tables);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(config.entries()));
        } else {
            for (EffectiveConfig.Entry entry : config.entries()) {
                out.printf(
                        "%-40s %-24s # %s%n",
                        entry.key() + ":",
                        entry.value().isEmpty() ? "\"\"" : entry.value(),
                        entry.source());
            }
        }
        config.warnings().forEach(spec.commandLine().getErr()::println);
        return ExitCode.OK.code();
    }
}
