<?php
// Symfony's Console finds a command, reads its input and writes lines with styles.
require __DIR__ . '/common.php';
@include_once Real\root() . '/Symfony/Contracts/Deprecation/function.php';

use Symfony\Component\Console\Application;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\{ArrayInput, InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\{BufferedOutput, OutputInterface};

class Show extends Command
{
    protected function configure(): void
    {
        $this->setName('app:show')->setDescription('Shows things')
            ->addArgument('what', InputArgument::REQUIRED)->addOption('rows', null, InputOption::VALUE_REQUIRED, '', 5);
    }
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        for ($i = 0; $i < $input->getOption('rows'); $i++) {
            $output->writeln([" $i <info>{$input->getArgument('what')}</info>", sprintf('<comment>%04d</comment> <fg=red;options=bold>!</>', $i * $i)]);
        }
        return 0;
    }
}

Real\measure('console', 150, function (): string {
    $application = new Application('bench', '1.0');
    $application->setAutoExit(false);
    $application->add(new Show());
    $output = new BufferedOutput();
    $application->run(new ArrayInput(['command' => 'app:show', 'what' => 'things', '--rows' => '12']), $output);
    return $output->fetch();
});
