package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The help of all operators' commands. */
class CommandHelpTest extends OperatorShell {
    /** Picocli hands a method its values by place, and counts the options of help before them. */
    @Test
    void helpOptionsComeFirst_whenCommandIsAMethod() {
        CommandLine parent =
                Launcher.commandLine(tls -> transport).getSubcommands().get("local-cluster");
        assertThat(parent.getSubcommands().values())
                .filteredOn(each -> each.getCommandSpec().userObject() instanceof Method)
                .hasSizeGreaterThan(8)
                .allSatisfy(
                        each ->
                                assertThat(each.getCommandSpec().args().get(0))
                                        .isInstanceOfSatisfying(
                                                OptionSpec.class,
                                                first -> assertThat(first.usageHelp()).isTrue()));
    }

    @Test
    void subcommandDescriptionsAreWholeSentences() {
        for (String parent : List.of("local-cluster", "account", "manager", "maintenance")) {
            CommandLine command =
                    Launcher.commandLine(tls -> transport).getSubcommands().get(parent);
            assertThat(command.getSubcommands().values())
                    .allSatisfy(
                            each ->
                                    assertThat(
                                                    each.getCommandSpec()
                                                            .usageMessage()
                                                            .description()[0])
                                            .matches(".*[.:]"));
        }
    }

    @Test
    void everyCommandHelpShowsExitCodesAndExamples() {
        for (List<String> command :
                List.of(
                        List.of("status"),
                        List.of("doctor"),
                        List.of("nodes"),
                        List.of("ranges"),
                        List.of("front-ends"),
                        List.of("manager", "list"),
                        List.of("manager", "add"),
                        List.of("manager", "remove"),
                        List.of("manager", "replace"),
                        List.of("manager", "alone"),
                        List.of("explain", "range"),
                        List.of("move-leader"),
                        List.of("move-replica"),
                        List.of("drain"),
                        List.of("undrain"),
                        List.of("decommission"),
                        List.of("replace"),
                        List.of("maintenance", "begin"),
                        List.of("maintenance", "end"),
                        List.of("maintenance", "show"),
                        List.of("account", "create"),
                        List.of("account", "list"),
                        List.of("account", "rotate-key"),
                        List.of("account", "suspend"),
                        List.of("account", "resume"),
                        List.of("flush"),
                        List.of("snapshot"),
                        List.of("backup", "create"),
                        List.of("backup", "list"),
                        List.of("backup", "verify"),
                        List.of("backup", "restore"),
                        List.of("backup", "delete"),
                        List.of("backup", "prune"),
                        List.of("export"),
                        List.of("import"),
                        List.of("recover", "range"),
                        List.of("recover", "entry"))) {
            out.getBuffer().setLength(0);
            List<String> arguments = new ArrayList<>(command);
            arguments.add("--help");
            assertThat(run(arguments.toArray(String[]::new))).as("%s", command).isZero();
            assertThat(out.toString())
                    .as("%s", command)
                    .contains("Usage: parterre " + String.join(" ", command))
                    .contains("Exit codes:")
                    .contains("Examples:");
        }
    }
}
